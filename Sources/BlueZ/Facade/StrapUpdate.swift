import FoundationEssentials
import GATT
import TachogramCore

/// What happens with a strap that is listened to, in the order in which it happened.
public enum StrapUpdate: Hashable, Sendable {
  /// Which strap it is; again when more is known of it.
  case strap(address: String, name: String?)
  /// Where the link stands, and what led there; `nil` when all went well.
  case link(Phase, Problem?)
  /// A notification: the value of the Heart Rate Measurement characteristic, 0x2A37, as it came. `HeartRateReading` of
  /// HeartRateKit decodes it. It came at `date`, by a clock that may step, and so long after the machine started.
  case notification([UInt8], date: Date, sinceBoot: Duration)
  /// How strongly it is heard, in dBm.
  case signal(Int)

  /// Where a link stands.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Nobody asked for it.
    case idle
    /// The strap is looked for.
    case scanning
    /// A connection is being made.
    case connecting
    /// Connected; what the strap offers is being discovered.
    case resolving
    /// Its notifications are being switched on.
    case subscribing
    /// Notifications come.
    case live
    /// Connected, and nothing comes: what was heard last is stale.
    case silent
    /// Waiting before the next attempt.
    case backingOff
    /// There is no adapter that can be used.
    case adapterAbsent
    /// There is no bus, or no Bluetooth daemon on it.
    case daemonAbsent
  }

  /// Why a link is where it is.
  public enum Problem: String, Hashable, Sendable, CaseIterable {
    /// The system bus cannot be reached.
    case noBus
    /// No Bluetooth daemon is on the bus.
    case noDaemon
    /// There is no adapter.
    case adapterMissing
    /// The adapter is off.
    case adapterOff
    /// The adapter is blocked by rfkill.
    case adapterBlocked
    /// The strap, or the air between, ended the link.
    case linkLost
    /// A step did not end in its time.
    case timedOut
    /// What goes away by itself: another operation was under way.
    case busy
    /// The adapter has no room for one more connection.
    case noSlot
    /// The strap does not know the bond any more, or refuses this machine.
    case notAuthorised
    /// The strap offers no Heart Rate Service, or the daemon remembers it wrongly.
    case noHeartRateService
    /// Connected, and no notification came.
    case silence
    /// The daemon refuses or fails in another way.
    case refused
  }
}

extension StrapUpdate {
  /// `nil` for what follows from other updates.
  init?(_ event: StrapEvent) {
    switch event.content {
    case .identified(let identity):
      self = .strap(address: identity.label, name: identity.ownName)
    case .state(let state):
      guard let phase = Phase(state.phase) else { return nil }
      self = .link(phase, state.reason.flatMap(Problem.init))
    case .notification(let value):
      self = .notification(
        value, date: event.wall.date, sinceBoot: .microseconds(event.monotonic.microseconds))
    case .signal(let level): self = .signal(Int(level))
    case .linkUp, .linkDown, .dismissed: return nil
    }
  }
}

extension StrapUpdate.Phase {
  /// The names are those within the package.
  init?(_ phase: LinkPhase) { self.init(rawValue: phase.rawValue) }
}

extension StrapUpdate.Problem {
  init?(_ reason: LinkReason) { self.init(rawValue: reason.rawValue) }
}
