import TachogramCore

/// The link to a strap in words for people.
package enum LinkWording {
  /// Where a link stands, for people.
  package static func text(_ state: LinkState) -> String {
    let phase =
      switch state.phase {
      case .idle: "idle"
      case .scanning: "looking for the strap"
      case .connecting: "connecting"
      case .resolving: "reading what the strap offers"
      case .subscribing: "switching notifications on"
      case .live: "live"
      case .silent: "connected, but silent"
      case .backingOff: "waiting before the next attempt"
      case .adapterAbsent: "no adapter"
      case .daemonAbsent: "no Bluetooth daemon"
      }
    return state.reason.map { "\(phase) (\(text($0)))" } ?? phase
  }

  /// Why it stands there, for people.
  package static func text(_ reason: LinkReason) -> String {
    switch reason {
    case .noBus: "the bus is gone"
    case .noDaemon: "the Bluetooth daemon is gone"
    case .adapterMissing: "the adapter is gone"
    case .adapterOff: "the adapter is off"
    case .adapterBlocked: "the adapter is blocked by rfkill"
    case .linkLost: "the link was lost"
    case .timedOut: "no answer in time"
    case .busy: "Bluetooth is busy"
    case .noSlot: "the adapter has no connection left"
    case .notAuthorised: "the strap wants to be paired anew"
    case .noHeartRateService: "the strap offers no heart rate"
    case .silence: "no notifications"
    case .refused: "Bluetooth refused"
    }
  }
}
