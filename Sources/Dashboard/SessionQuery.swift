import TachogramCore

/// The selection of sessions for one page of the list.
package struct SessionQuery: Hashable, Sendable {
  package var person: String?
  package var from: WallTime?
  package var to: WallTime?
  package var limit: Int
  package var cursor: String?
}
