/// A stretch of a capture that could not be read and was passed over.
package struct CaptureDamage: Hashable, Sendable {
  /// Where it begins, in bytes from the start of the file.
  package var offset: UInt64
  /// How many bytes were passed over.
  package var length: UInt64
  /// What was wrong.
  package var problem: String

  package init(offset: UInt64, length: UInt64, problem: String) {
    self.offset = offset
    self.length = length
    self.problem = problem
  }
}
