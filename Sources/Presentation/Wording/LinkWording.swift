import TachogramCore

/// Descriptions of the link to a strap for people.
package enum LinkWording {
  /// Returns the description of a link state, with its reason.
  package static func text(_ state: LinkState) -> String {
    let phase =
      switch state.phase {
      case .idle: "idle"
      case .scanning: "scanning"
      case .connecting: "connecting"
      case .resolving: "discovering services"
      case .subscribing: "enabling notifications"
      case .live: "live"
      case .silent: "connected, but silent"
      case .backingOff: "waiting before the next attempt"
      case .adapterAbsent: "no adapter"
      case .daemonAbsent: "no Bluetooth daemon"
      }
    return state.reason.map { "\(phase) (\(text($0)))" } ?? phase
  }

  /// Returns the description of the link to a strap that is being paired.
  package static func ofPairing(_ state: LinkState) -> String {
    let wantsBond = state.reason == .notAuthorised
    guard wantsBond else { return text(state) }
    return text(LinkState(phase: state.phase, since: state.since)) + " (the strap asks to be paired)"
  }

  /// Returns the description of a link state of a station. If its configuration has a passkey (`hasPasskey`), a strap that
  /// refuses to be paired may have refused that.
  package static func text(_ state: LinkState, hasPasskey: Bool) -> String {
    let text = text(state)
    return hasPasskey && state.reason == .notAuthorised ? "\(text); \(passkeyHint)" : text
  }

  /// What to do if a strap refuses the passkey of the configuration.
  package static let passkeyHint = "check the passkey of the configuration, radio.passkey"

  /// Returns the description of a reason.
  package static func text(_ reason: LinkReason) -> String {
    switch reason {
    case .noBus: "the D-Bus bus is not available"
    case .noDaemon: "the Bluetooth daemon is not running"
    case .adapterMissing: "the adapter is missing"
    case .adapterOff: "the adapter is off"
    case .adapterBlocked: "the adapter is blocked by rfkill"
    case .linkLost: "the link was lost"
    case .timedOut: "no answer in time"
    case .busy: "Bluetooth is busy"
    case .noSlot: "the adapter has no free connection"
    case .notAuthorised: "the strap must be paired"
    case .noHeartRateService: "the strap has no Heart Rate Service"
    case .silence: "no notifications"
    case .refused: "refused by the Bluetooth daemon"
    }
  }
}
