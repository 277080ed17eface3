import TachogramCore
import TachogramTestKit

/// What may happen to a recording of two straps.
enum LedgerCommand: Hashable, Sendable {
  /// A strap notifies, so many milliseconds after what happened last; its link comes up first if it is down.
  case notify(strap: Int, after: Int64, value: [UInt8])
  /// A strap notifies the same bytes as before, at the same moment.
  case again(strap: Int)
  case linkDown(strap: Int, reason: UInt8)
  /// More becomes known of a strap.
  case identify(strap: Int, battery: UInt8)
  /// Nothing happens for so many seconds; what was heard is stored.
  case pass(seconds: Int64)
  /// Somebody sets the civil clock.
  case stepClock(seconds: Int64)
  /// The disk is full, or cannot be written, from the write with this number on.
  case fail(isFull: Bool, at: Int64)
  case mend
  /// The program is killed and started again.
  case kill

  static func random(_ random: inout SplitMix64) -> LedgerCommand {
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    let strap = Int(number(0...1))
    switch number(0...99) {
    case 0..<62:
      let after = number(0...9) == 0 ? number(0...8000) : number(850...1150)
      return .notify(strap: strap, after: after, value: value(after: after, &random))
    case 62..<68: return .again(strap: strap)
    case 68..<73: return .linkDown(strap: strap, reason: UInt8(number(0...255)))
    case 73..<76: return .identify(strap: strap, battery: UInt8(number(0...100)))
    case 76..<86: return .pass(seconds: number(0...3) == 0 ? number(100...900) : number(1...20))
    case 86..<89: return .stepClock(seconds: number(-7200...7200))
    case 89..<93: return .fail(isFull: number(0...1) == 0, at: number(1...8))
    case 93..<97: return .mend
    default: return .kill
    }
  }

  /// Mostly an interval that fits the time that has passed; else something that no strap, or only an odd one, sends.
  private static func value(after: Int64, _ random: inout SplitMix64) -> [UInt8] {
    func interval(_ milliseconds: Int64) -> [UInt8] {
      let ticks = UInt16(clamping: milliseconds * 1024 / 1000)
      return [UInt8(truncatingIfNeeded: ticks), UInt8(truncatingIfNeeded: ticks >> 8)]
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return (0..<Int.random(in: 0...8, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1: return [0x00, 60]
    case 2: return [0x16, 75] + interval(after / 2) + interval(after - after / 2)
    case 3: return [0x14, 75] + interval(after)
    case 4: return [0x10, 75] + (0..<9).flatMap { _ in interval(1000) }
    case 5: return [0x10, 75, 0, 0]
    case 6: return [0x10, 75, 3]
    default: return [0x10, 60] + interval(after)
    }
  }

  var simpler: [LedgerCommand] {
    switch self {
    case .notify(let strap, let after, let value):
      [.notify(strap: strap, after: 1000, value: [0x10, 60, 0, 4]), .notify(strap: 0, after: after, value: value)]
        .filter { $0 != self }
    case .pass(let seconds): seconds > 1 ? [.pass(seconds: 1)] : []
    case .stepClock: []
    case .fail(_, let operation): operation > 1 ? [.fail(isFull: true, at: 1)] : []
    default: []
    }
  }
}
