import TachogramCore

/// The schedule by which an adapter changes between passive and active searching, as a pure function of past events.
///
///     passive   10 s          20 s          40 s    …   320 s          …
///     active           10 s          10 s           …          10 s    …
///
/// A search starts passively if the daemon offers it. A controller may filter wrongly, and a strap may send its name only on
/// request. Passive periods therefore alternate with active ones, which become rarer as the search continues. Passive searching
/// is not used if straps are found only in active periods, and for some time after it was refused or ended by the daemon.
struct ScanPlan: Sendable {
  /// The first and the longest duration of a passive period, and the duration of an active period.
  private static let firstPassiveTime: Duration = .seconds(10)
  private static let longestPassiveTime: Duration = .seconds(320)
  private static let look: Duration = .seconds(10)
  /// The time for which a refusal of passive searching applies.
  private static let refusal: Duration = .seconds(600)
  /// The number of consecutive straps found in active periods after which passive searching counts as ineffective.
  private static let findsOfDeafness = 2

  private(set) var way = ScanMode.active
  /// The time of the next scheduled change, or `nil` if there is none.
  private(set) var turnsAt: MonotonicTime?
  private var passiveTime = firstPassiveTime
  private var refusedUntil: MonotonicTime?
  private var findsByLook = 0

  /// Starts a search for a strap. `isOffered` is whether the daemon offers passive searching.
  mutating func begin(at now: MonotonicTime, isOffered: Bool) {
    passiveTime = Self.firstPassiveTime
    let isRefused = refusedUntil.map { now < $0 } ?? false
    if isOffered, !isRefused, findsByLook < Self.findsOfDeafness {
      way = .passive
      turnsAt = now.advanced(by: passiveTime)
    } else {
      way = .active
      turnsAt = nil
    }
  }

  /// Records that a strap was found in the current way.
  mutating func found() {
    if way == .passive { findsByLook = 0 } else if turnsAt != nil { findsByLook += 1 }
  }

  /// Records that passive searching was refused or ended by the daemon.
  mutating func refused(at now: MonotonicTime) {
    refusedUntil = now.advanced(by: Self.refusal)
    way = .active
    turnsAt = nil
  }

  /// Changes the way if the change is due.
  mutating func advance(to now: MonotonicTime) {
    guard let turnsAt, now >= turnsAt else { return }
    switch way {
    case .passive:
      way = .active
      self.turnsAt = now.advanced(by: Self.look)
    case .active:
      way = .passive
      passiveTime = min(passiveTime * 2, Self.longestPassiveTime)
      self.turnsAt = now.advanced(by: passiveTime)
    }
  }

  /// Resets what was learnt about passive searching, because another daemon may support it.
  mutating func forget() {
    refusedUntil = nil
    findsByLook = 0
  }
}
