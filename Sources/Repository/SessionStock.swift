/// The number of sessions and the newest one. A value computed from the sessions is valid while neither changes, whichever
/// process deletes, merges or adds sessions.
package struct SessionStock: Hashable, Sendable {
  let count: Int
  let newest: Int64
}
