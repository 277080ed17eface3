/// The resolution of the timestamps of a pcapng interface (option if_tsresol, draft-ietf-opsawg-pcapng 4.2): 10^value ticks per
/// second, or 2^value if the top bit is set.
struct PcapngResolution {
  private enum Unit {
    /// The number of microseconds in a tick.
    case coarse(UInt64)
    /// The number of ticks in a microsecond.
    case fine(UInt64)
    /// 2^exponent ticks are a second.
    case binary(exponent: Int)
    /// Ticks so short that no timestamp reaches a microsecond.
    case beyond
  }

  private let unit: Unit

  init(option: UInt8) {
    let exponent = Int(option & 0x7F)
    unit =
      if option & 0x80 != 0 {
        .binary(exponent: exponent)
      } else if exponent <= 6 {
        .coarse(Self.power(6 - exponent))
      } else if exponent <= 25 {
        .fine(Self.power(exponent - 6))
      } else {
        .beyond
      }
  }

  /// Returns the whole microseconds in a number of ticks, or `nil` on overflow of `Int64`.
  func microseconds(ticks: UInt64) -> Int64? {
    switch unit {
    case .coarse(let microseconds):
      let (time, isOverflow) = ticks.multipliedReportingOverflow(by: microseconds)
      return isOverflow ? nil : Int64(exactly: time)
    case .fine(let count):
      return Int64(exactly: ticks / count)
    case .binary(let exponent):
      return Int64(exactly: (UInt128(ticks) * 1_000_000) >> UInt128(exponent))
    case .beyond:
      return 0
    }
  }

  private static func power(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
