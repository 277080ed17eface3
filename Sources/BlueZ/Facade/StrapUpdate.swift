import FoundationEssentials
import GATT
import TachogramCore

/// An update of a strap. Updates are delivered in the order in which they happened.
public enum StrapUpdate: Hashable, Sendable {
  /// The identity of the strap. Repeated when more of it is known.
  case strap(address: String, name: String?)
  /// The phase of the link and the problem that led to it, or `nil` if there was no problem.
  case link(Phase, Problem?)
  /// A notification with the undecoded value of the Heart Rate Measurement characteristic, 0x2A37, which `HeartRateReading` of
  /// HeartRateKit decodes. `date` is the time of arrival on the wall clock, which may step; `sinceBoot` is the time of arrival
  /// since the start of the machine.
  case notification([UInt8], date: Date, sinceBoot: Duration)
  /// The signal strength, in dBm.
  case signal(Int)

  /// The phase of a link.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The link has not been requested.
    case idle
    /// Searching for the strap.
    case scanning
    /// Connecting to the strap.
    case connecting
    /// Connected; the services of the strap are being discovered.
    case resolving
    /// Enabling the notifications of the strap.
    case subscribing
    /// Receiving notifications.
    case live
    /// Connected without receiving notifications: the last value is stale.
    case silent
    /// Waiting before the next attempt.
    case backingOff
    /// There is no adapter that can be used.
    case adapterAbsent
    /// There is no bus, or no Bluetooth daemon on it.
    case daemonAbsent
  }

  /// The cause of a phase of a link.
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
    /// The strap ended the link, or the radio link was lost.
    case linkLost
    /// A step timed out.
    case timedOut
    /// Another operation was in progress. This problem is transient.
    case busy
    /// The adapter does not support another connection.
    case noSlot
    /// The strap no longer has the bond, or refuses this machine.
    case notAuthorised
    /// The strap offers no Heart Rate Service, or the daemon's cache of its services is wrong.
    case noHeartRateService
    /// Connected, but no notification was received.
    case silence
    /// The daemon refused a request or failed in another way.
    case refused
  }
}

extension StrapUpdate {
  /// Creates an update, or returns `nil` for an event that follows from other updates or is not part of the heart rate.
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
    case .linkUp, .sensor, .linkDown, .dismissed: return nil
    }
  }
}

extension StrapUpdate.Phase {
  /// The raw values are the same as those of the type within the package.
  init?(_ phase: LinkPhase) { self.init(rawValue: phase.rawValue) }
}

extension StrapUpdate.Problem {
  init?(_ reason: LinkReason) { self.init(rawValue: reason.rawValue) }
}
