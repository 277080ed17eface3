import TachogramCore

/// Which way an adapter looks for straps, and when it changes the way: a pure function of what happened.
///
///     passive   10 s          20 s          40 s    …   320 s          …
///     active           10 s          10 s           …          10 s    …
///
/// Passive comes first where the daemon offers it. A controller may filter wrongly, and a strap may send its name only
/// when it is asked; so there are active looks in between, the rarer the longer nothing came of them. When straps are
/// found in these alone, passive is of no use here, and so it is for a while after it was refused or taken away.
struct ScanPlan: Sendable {
  /// How long to listen before the first look, at most, and how long a look takes.
  private static let firstPassiveTime: Duration = .seconds(10)
  private static let longestPassiveTime: Duration = .seconds(320)
  private static let look: Duration = .seconds(10)
  /// How long a refusal counts.
  private static let refusal: Duration = .seconds(600)
  /// Straps in a row that only a look found, after which passive counts as deaf.
  private static let findsOfDeafness = 2

  private(set) var way = ScanMode.active
  /// When the way changes by itself.
  private(set) var turnsAt: MonotonicTime?
  private var passiveTime = firstPassiveTime
  private var refusedUntil: MonotonicTime?
  private var findsByLook = 0

  /// A strap begins to be looked for; `isOffered` says whether the daemon offers the passive way.
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

  /// A strap was found in the way of now.
  mutating func found() {
    if way == .passive { findsByLook = 0 } else if turnsAt != nil { findsByLook += 1 }
  }

  /// The passive way was refused, or taken away.
  mutating func refused(at now: MonotonicTime) {
    refusedUntil = now.advanced(by: Self.refusal)
    way = .active
    turnsAt = nil
  }

  /// Changes the way when it is time.
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

  /// Another daemon may do what the one before did not.
  mutating func forget() {
    refusedUntil = nil
    findsByLook = 0
  }
}
