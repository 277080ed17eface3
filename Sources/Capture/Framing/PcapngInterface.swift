/// An interface of a pcapng section, with its link type and the unit of its timestamps.
struct PcapngInterface {
  let link: LinkType
  /// The most captured bytes of a packet; `Int.max` if there is no limit.
  let snapLength: Int
  /// The packets that the interface dropped.
  var drops = InterfaceDrops()
  /// The resolution of the timestamps.
  private var resolution = PcapngResolution(option: 6)
  /// The option if_tsoffset, in seconds.
  private var offset: Int64 = 0

  /// Reads the body of an Interface Description Block, without its type and lengths.
  init(description body: Span<UInt8>, isBigEndian: Bool) {
    func half(_ offset: Int) -> UInt16? { isBigEndian ? body.bigEndian16(at: offset) : body.littleEndian16(at: offset) }
    func word(_ offset: Int) -> UInt32? { isBigEndian ? body.bigEndian32(at: offset) : body.littleEndian32(at: offset) }
    link = LinkType(pcap: UInt32(half(0) ?? 0))
    // 0 stands for no limit.
    snapLength = word(4).flatMap { $0 == 0 ? nil : Int($0) } ?? .max
    var position = 8
    while let code = half(position), let length = half(position + 2), code != 0 {
      if code == 9, length > 0, let option = body.byte(at: position + 4) {
        resolution = PcapngResolution(option: option)
      }
      if code == 14, length == 8, let first = word(position + 4), let second = word(position + 8) {
        let (high, low) = isBigEndian ? (first, second) : (second, first)
        offset = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
      }
      position += 4 + (Int(length) + 3) / 4 * 4
    }
  }

  /// Returns microseconds since 1970 for a timestamp, or `nil` if the time is out of range.
  func microseconds(ticks: UInt64) -> Int64? {
    guard let time = resolution.microseconds(ticks: ticks),
      case (let start, false) = offset.multipliedReportingOverflow(by: 1_000_000),
      case (let sum, false) = time.addingReportingOverflow(start), (0...FramingLimit.latest).contains(sum)
    else { return nil }
    return sum
  }
}
