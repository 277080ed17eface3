/// Where the notifications of one handle of one connection go.
struct HeartRateRoute {
  /// The end that notifies.
  let end: LinkEnd
  let handle: UInt16
  /// Index of the strap in the plan.
  let strap: Int
  /// Ordinal of the link within the strap's session.
  let link: Int
  /// How many notifications the survey counted.
  let notifications: Int

  /// Whether it is the same way as another one, whatever went along it.
  func isSame(as other: HeartRateRoute) -> Bool {
    end == other.end && handle == other.handle && strap == other.strap && link == other.link
  }
}
