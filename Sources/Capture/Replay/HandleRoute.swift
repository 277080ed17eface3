/// Where the notifications of one handle of one connection go.
struct HandleRoute: Sendable {
  /// A link of a strap of the plan.
  struct Destination: Hashable, Sendable {
    /// Index of the strap in the plan.
    let strap: Int
    /// Ordinal of the link within the strap's session.
    let link: Int
  }

  /// Notifications in a row all of which are used, or none.
  struct Part: Hashable, Sendable {
    /// Position, among the notifications of the handle, behind the last one; `.max` for the part that goes on.
    let end: Int
    let isUsed: Bool
  }

  /// The end that notifies.
  let end: LinkEnd
  let handle: UInt16
  /// Where the used ones go; `nil` when none is used.
  let destination: Destination?
  /// At least one.
  let parts: [Part]
  /// How many notifications the survey counted, used or not.
  let notifications: Int

  /// Whether another one sends the first `count` notifications the same way.
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
