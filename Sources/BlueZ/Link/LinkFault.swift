import TachogramCore

/// The class of a fault of a link, according to its remedy.
package enum LinkFault: Hashable, Sendable, CaseIterable {
  /// A transient fault: another operation in progress, or an attempt that the controller aborted.
  case transient
  /// The link ended during a step or while it was in use.
  case linkLost
  /// A step timed out.
  case timedOut
  /// The adapter has no slot for another connection.
  case noSlot
  /// The strap and this machine do not, or no longer, share a bond.
  case notAuthorised
  /// The services are resolved, but do not include the Heart Rate Service.
  case noHeartRateService
  /// Connected, but no notification was received.
  case silence
  /// The object does not exist: the daemon removed the strap between two steps.
  case vanished
  /// The requested notification transport is in use by another client or not offered.
  case wayRefused
  /// Anything else.
  case refused

  /// The reason that is reported for the fault.
  package var reason: LinkReason {
    switch self {
    case .transient: .busy
    case .linkLost, .vanished: .linkLost
    case .timedOut: .timedOut
    case .noSlot: .noSlot
    case .notAuthorised: .notAuthorised
    case .noHeartRateService: .noHeartRateService
    case .silence: .silence
    case .wayRefused, .refused: .refused
    }
  }
}
