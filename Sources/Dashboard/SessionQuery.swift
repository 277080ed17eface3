import TachogramCore

/// Which sessions a page of the list has.
package struct SessionQuery: Hashable, Sendable {
  package var person: String?
  package var from: WallTime?
  package var to: WallTime?
  package var limit: Int
  package var cursor: String?
}
