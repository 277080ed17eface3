import BlueZ
import TachogramTestKit

/// What may happen to a link, around the machine that keeps it.
enum LinkCommand: Hashable, Sendable {
  /// Nothing, for so many milliseconds.
  case pass(Int64)
  /// The strap goes out of range, or comes back into it.
  case away
  case back
  /// The link ends, as the controller says it.
  case drop
  /// The strap sends nothing, or goes on.
  case mute
  case speak
  case bus(Bool)
  case daemon(Bool)
  case adapter(AdapterCondition)
  /// The next step ends with a fault, or is never answered.
  case refuse(LinkFault)
  case stall
  /// The daemon ends the subscription.
  case endSubscription
  /// The strap forgets its bond: it takes no subscription until the daemon has forgotten it too.
  case loseBond

  static func random(_ random: inout SplitMix64) -> LinkCommand {
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<12: .pass(Int64.random(in: 50...9_000, using: &random))
    case 12: .pass(Int64.random(in: 10_000...60_000, using: &random))
    case 13: .away
    case 14, 15: .back
    case 16: .drop
    case 17: .mute
    case 18, 19: .speak
    case 20: .bus(Bool.random(using: &random))
    case 21: .daemon(Bool.random(using: &random))
    case 22: .adapter([.ready, .off, .blocked, .missing].randomElement(using: &random) ?? .ready)
    case 23, 24: .adapter(.ready)
    case 25: .bus(true)
    case 26: .refuse(LinkFault.allCases.randomElement(using: &random) ?? .refused)
    case 27: .stall
    case 28: .endSubscription
    default: Int.random(in: 0..<3, using: &random) == 0 ? .loseBond : .daemon(true)
    }
  }

  var simpler: [LinkCommand] {
    switch self {
    case .pass(let milliseconds): milliseconds > 1000 ? [.pass(1000), .pass(milliseconds / 2)] : []
    case .adapter(let condition): condition == .off || condition == .ready ? [] : [.adapter(.off)]
    default: []
    }
  }
}
