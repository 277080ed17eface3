/// Puts the fragments of one direction of a link together again (Core Specification 5.4, Vol 3, Part A, 7.2).
struct L2CAPReassembly {
  private static let headerLength = 4

  private var buffer: [UInt8] = []
  /// Whether a PDU was begun and is not complete.
  private(set) var isPending = false

  /// Takes the first fragment of a PDU; the PDU when that completes it. An unfinished predecessor is given up.
  @inline(__always)
  mutating func start(_ fragment: Span<UInt8>) -> L2CAPFrame? {
    if let frame = Self.frame(in: fragment) {
      isPending = false
      return frame
    }
    buffer.removeAll(keepingCapacity: true)
    isPending = true
    append(contentsOf: fragment)
    return nil
  }

  /// Takes a further fragment.
  mutating func append(_ fragment: Span<UInt8>) -> L2CAPFrame? {
    guard isPending else { return nil }
    append(contentsOf: fragment)
    guard var frame = Self.frame(in: buffer.span) else { return nil }
    frame.reassembled = buffer
    isPending = false
    return frame
  }

  /// The PDU that begins the bytes, if the whole of it is there.
  @inline(__always)
  private static func frame(in bytes: Span<UInt8>) -> L2CAPFrame? {
    guard let length = bytes.littleEndian16(at: 0), let channel = bytes.littleEndian16(at: 2),
      bytes.holds(Int(length), at: headerLength)
    else { return nil }
    return L2CAPFrame(channel: channel, payload: headerLength..<(headerLength + Int(length)))
  }

  private mutating func append(contentsOf fragment: Span<UInt8>) {
    for index in 0..<fragment.count { buffer.append(fragment[index]) }
  }
}
