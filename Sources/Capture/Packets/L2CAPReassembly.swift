/// Reassembles the PDUs of one direction of a link from fragments (Core Specification 5.4, Vol 3, Part A, 7.2).
struct L2CAPReassembly {
  private static let headerLength = 4

  private var buffer: [UInt8] = []
  /// Whether a PDU has been started and is not complete.
  private(set) var isPending = false

  /// Starts a PDU with its first fragment, and returns the PDU if that is all of it. Discards an unfinished PDU.
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

  /// Adds a further fragment, and returns the PDU that it completes, if any.
  mutating func append(_ fragment: Span<UInt8>) -> L2CAPFrame? {
    guard isPending else { return nil }
    append(contentsOf: fragment)
    guard var frame = Self.frame(in: buffer.span) else { return nil }
    frame.reassembled = buffer
    isPending = false
    return frame
  }

  /// Returns the PDU at the start of the bytes, or `nil` if it is incomplete.
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
