/// Which straps are listened to without being recorded, since a person wants so.
struct RecordingWishes {
  private var suspended: Set<Int> = []
  /// The wishes that do not hold yet.
  private var next: [Int: Bool] = [:]

  func isSuspended(_ strap: Int) -> Bool { suspended.contains(strap) }

  mutating func wish(_ isWanted: Bool, for strap: Int) { next[strap] = isWanted }

  /// Forgets a strap. Returns whether it was recorded.
  mutating func forget(_ strap: Int) -> Bool {
    next[strap] = nil
    return suspended.remove(strap) == nil
  }

  /// Lets the last wishes hold. Returns the straps that changed, and whether each was recorded before.
  mutating func hold() -> [(strap: Int, wasRecorded: Bool)] {
    defer { next = [:] }
    return next.sorted { $0.key < $1.key }.compactMap { strap, isWanted in
      guard isWanted == suspended.contains(strap) else { return nil }
      if isWanted { suspended.remove(strap) } else { suspended.insert(strap) }
      return (strap, !isWanted)
    }
  }
}
