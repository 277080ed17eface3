import CommandProcess

/// A value of an export that contradicts another value of the same export.
package struct Contradiction: Hashable, Sendable {
  /// The key path of the value, as in `stress[12].category`.
  let key: String
  /// The reason why the value is wrong.
  let reason: String

  init(_ key: String, _ reason: String) {
    (self.key, self.reason) = (key, reason)
  }

  func failure(_ path: String) -> CommandFailure {
    CommandFailure("\(path): \(key): \(reason). Nothing of it is imported; export the session again.", code: .badInput)
  }
}
