/// The system has no thread or no descriptor left.
package struct ThreadResourceError: Error, Hashable, Sendable {
  /// The function that failed.
  package let call: String
  /// The number of the error.
  package let errno: Int32
}
