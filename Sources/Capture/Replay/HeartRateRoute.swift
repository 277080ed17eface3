/// Where the notifications of one handle of one connection go.
struct HeartRateRoute {
  /// The end that notifies.
  let end: LinkEnd
  let handle: UInt16
  /// Index of the strap in the plan.
  let strap: Int
  /// Ordinal of the link within the strap's session.
  let link: Int
  /// Whether it has notified and its link is still up; kept by the replay.
  var isOpen = false
}
