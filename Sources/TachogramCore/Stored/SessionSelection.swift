/// A selection of stored sessions: those that fulfil all conditions that are set.
package struct SessionSelection: Hashable, Sendable {
  /// A complete session identifier.
  package var session: String?
  package var person: String?
  package var strap: BluetoothAddress?
  /// The range in which a session must lie completely. Sessions are never cut.
  package var range: ClosedRange<WallTime>?
  /// The identifiers of sessions that are excluded.
  package var excluding: Set<String> = []

  package init() {}

  /// Selects one session by its complete identifier.
  package static func session(_ id: String) -> SessionSelection {
    var selection = SessionSelection()
    selection.session = id
    return selection
  }
}
