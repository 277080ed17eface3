import TachogramCore

extension LinkMachine {
  /// A running step with its deadline.
  struct RunningStep: Sendable {
    let step: LinkStep
    let number: Int
    let deadline: MonotonicTime
  }

  /// The state of a connection.
  struct Connection: Sendable {
    /// Whether bonding has completed on this connection.
    var hasPaired = false
    /// Whether notifications were requested again because none were received.
    var hasResubscribed = false
  }

  /// A requested or established subscription.
  struct Subscription: Sendable {
    enum Stage: Sendable {
      case asked(RunningStep)
      /// The subscription was established. `watch` is the time of the next check for silence.
      case made(at: MonotonicTime, watch: MonotonicTime?)
      /// The subscription ended by itself. Until `until`, the link may also end.
      case ended(until: MonotonicTime)
    }

    /// Whether notifications are being received.
    enum Hearing: Sendable {
      case nothing
      case live
      case silent
    }

    let askedAt: MonotonicTime
    /// Whether the strap was bonded at that time.
    let wasPaired: Bool
    var stage: Stage
    var lastNotification: MonotonicTime?
    var hearing = Hearing.nothing

    /// Whether the subscription was established, even if it has ended since.
    var isMade: Bool { if case .asked = stage { false } else { true } }
  }

  /// The phase of the link, with the state specific to it.
  enum Phase: Sendable {
    case idle
    case daemonAbsent
    case adapterAbsent
    /// Waiting for the strap. `isSearching` is whether the search has been requested.
    case scanning(isSearching: Bool)
    /// A connection has been requested from the daemon.
    case connecting(RunningStep)
    /// The daemon has replied, but its properties may not show the connection yet.
    case settling(until: MonotonicTime)
    /// Connected: waiting for the services until `due`, or bonding.
    case resolving(Connection, due: MonotonicTime?, pairing: RunningStep?)
    case listening(Connection, Subscription)
    /// `tidying` disconnects, or makes the daemon forget the strap.
    case backingOff(until: MonotonicTime, tidying: RunningStep?)

    /// The name of the phase.
    var name: LinkPhase {
      switch self {
      case .idle: .idle
      case .daemonAbsent: .daemonAbsent
      case .adapterAbsent: .adapterAbsent
      case .scanning: .scanning
      case .connecting, .settling: .connecting
      case .resolving: .resolving
      case .listening(_, let subscription):
        switch subscription.hearing {
        case .nothing: .subscribing
        case .live: .live
        case .silent: .silent
        }
      case .backingOff: .backingOff
      }
    }

    /// The step that is running in this phase.
    var running: RunningStep? {
      switch self {
      case .idle, .daemonAbsent, .adapterAbsent, .scanning, .settling: return nil
      case .connecting(let step): return step
      case .resolving(_, _, let step), .backingOff(_, let step): return step
      case .listening(_, let subscription):
        if case .asked(let step) = subscription.stage { return step }
        return nil
      }
    }

    /// The time at which the phase changes without an input, or `nil` while only the surroundings can change it.
    var deadline: MonotonicTime? {
      if let running { return running.deadline }
      switch self {
      case .idle, .daemonAbsent, .adapterAbsent, .scanning, .connecting: return nil
      case .settling(let until), .backingOff(let until, _): return until
      case .resolving(_, let due, _): return due
      case .listening(_, let subscription):
        switch subscription.stage {
        case .asked: return nil
        case .made(_, let watch): return watch
        case .ended(let until): return until
        }
      }
    }
  }
}
