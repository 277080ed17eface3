/// The destinations of the notifications of one handle of one connection.
struct HandleRoute: Sendable {
  /// A link of a strap of the plan.
  struct Destination: Hashable, Sendable {
    /// The index of the strap in the plan.
    let strap: Int
    /// The ordinal of the link within the strap's session.
    let link: Int
  }

  /// Consecutive notifications that are all used or all unused.
  struct Part: Hashable, Sendable {
    /// The position behind the last one among the notifications of the handle; `.max` for the last part.
    let end: Int
    let isUsed: Bool
  }

  /// The end that notifies.
  let end: LinkEnd
  let handle: UInt16
  /// The destination of used notifications, or `nil` if none is used.
  let destination: Destination?
  /// The parts, at least one.
  let parts: [Part]
  /// The number of notifications that the survey counted, used or not.
  let notifications: Int

  /// Whether another route sends the first `count` notifications to the same destinations.
  func agrees(with other: HandleRoute, on count: Int) -> Bool {
    var (mine, its, position) = (0, 0, 0)
    while position < count, mine < parts.count, its < other.parts.count {
      guard parts[mine].isUsed == other.parts[its].isUsed, !parts[mine].isUsed || destination == other.destination
      else {
        return false
      }
      position = min(parts[mine].end, other.parts[its].end)
      mine += parts[mine].end == position ? 1 : 0
      its += other.parts[its].end == position ? 1 : 0
    }
    return true
  }
}
