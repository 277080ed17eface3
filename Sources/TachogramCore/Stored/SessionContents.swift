/// What sessions hold.
package struct SessionContents: Hashable, Sendable {
  package var sessions: Int64 = 0
  package var notifications: Int64 = 0
  package var beats: Int64 = 0
  package var stress: Int64 = 0
  package var windows: Int64 = 0
  /// Where the first of them begins and the last ends.
  package var first: WallTime?
  package var last: WallTime?

  package init() {}
}
