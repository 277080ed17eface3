import CommandProcess

/// A value of an export that contradicts another one of the same export.
package struct Contradiction: Hashable, Sendable {
  /// Where it is, as in `stress[12].category`.
  let key: String
  /// What is wrong with it.
  let reason: String

  init(_ key: String, _ reason: String) {
    (self.key, self.reason) = (key, reason)
  }

  func failure(_ path: String) -> CommandFailure {
    CommandFailure("\(path): \(key): \(reason). Nothing of it is imported; export the session again.", code: .badInput)
  }
}
