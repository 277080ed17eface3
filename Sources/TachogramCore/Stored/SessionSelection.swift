/// Which stored sessions are meant: those that fulfil all that is given.
package struct SessionSelection: Hashable, Sendable {
  /// A whole identifier.
  package var session: String?
  package var person: String?
  package var strap: BluetoothAddress?
  /// Sessions that lie in this range whole: a session is never cut.
  package var range: ClosedRange<WallTime>?
  /// Identifiers of sessions that are left out.
  package var excluding: Set<String> = []

  package init() {}

  /// One session, by its whole identifier.
  package static func session(_ id: String) -> SessionSelection {
    var selection = SessionSelection()
    selection.session = id
    return selection
  }
}
