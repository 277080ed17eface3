/// How many sessions there are and which is the newest: what was computed of them holds while neither changes, whoever else deletes,
/// merges or adds some.
package struct SessionStock: Hashable, Sendable {
  let count: Int
  let newest: Int64
}
