import TachogramCore

/// The classes of what goes wrong with a link, by what helps.
package enum LinkFault: Hashable, Sendable, CaseIterable {
  /// Goes away by itself: another operation under way, an attempt that the controller cut off.
  case transient
  /// The link ended under way.
  case linkLost
  /// A step did not end in its time.
  case timedOut
  /// The adapter has no slot for one more connection.
  case noSlot
  /// The bond is not, or no longer, shared.
  case notAuthorised
  /// Services are resolved, and Heart Rate is not among them.
  case noHeartRateService
  /// Connected, and nothing came.
  case silence
  /// The object is gone: the daemon forgot the strap between two steps.
  case vanished
  /// The way in which notifications were asked for is taken by somebody else or not offered.
  case wayRefused
  /// Anything else.
  case refused

  /// How it is worded for people.
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
