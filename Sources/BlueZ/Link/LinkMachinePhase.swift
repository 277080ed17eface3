import TachogramCore

extension LinkMachine {
  /// A step that runs, and when it is overdue.
  struct RunningStep: Sendable {
    let step: LinkStep
    let number: Int
    let deadline: MonotonicTime
  }

  /// What is known of a connection while it lasts.
  struct Connection: Sendable {
    /// Whether the bond was made on it.
    var hasPaired = false
    /// Whether its notifications were asked for again because none came.
    var hasResubscribed = false
  }

  /// A subscription from when it is asked for.
  struct Subscription: Sendable {
    enum Stage: Sendable {
      case asked(RunningStep)
      /// It was made; `watch` is when the next silence is to be looked at.
      case made(at: MonotonicTime, watch: MonotonicTime?)
      /// It ended by itself; until then the link may end as well.
      case ended(until: MonotonicTime)
    }

    /// What was heard on it.
    enum Hearing: Sendable {
      case nothing
      case live
      case silent
    }

    let askedAt: MonotonicTime
    /// Whether the strap was bonded then.
    let wasPaired: Bool
    var stage: Stage
    var lastNotification: MonotonicTime?
    var hearing = Hearing.nothing

    /// Whether the daemon may have it.
    var isMade: Bool { if case .asked = stage { false } else { true } }
  }

  /// Where the link stands, with what is known there and nowhere else.
  enum Phase: Sendable {
    case idle
    case daemonAbsent
    case adapterAbsent
    /// The strap is looked for; `isSearching`: by discovery.
    case scanning(isSearching: Bool)
    /// The daemon was asked for a connection.
    case connecting(RunningStep)
    /// It has answered, and its properties may say so late.
    case settling(until: MonotonicTime)
    /// Connected: services are resolved until `due`, or the bond is made.
    case resolving(Connection, due: MonotonicTime?, pairing: RunningStep?)
    case listening(Connection, Subscription)
    /// `tidying` disconnects, or makes the daemon forget the strap.
    case backingOff(until: MonotonicTime, tidying: RunningStep?)

    /// Its name.
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

    /// The step that runs in it.
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

    /// When time alone changes it; `nil` while only the surroundings can.
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
