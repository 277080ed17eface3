/// A range of a capture that could not be read and was skipped.
package struct CaptureDamage: Hashable, Sendable {
  /// The offset of its start, in bytes from the start of the file.
  package var offset: UInt64
  /// The number of bytes skipped.
  package var length: UInt64
  /// A description of the problem.
  package var problem: String

  package init(offset: UInt64, length: UInt64, problem: String) {
    self.offset = offset
    self.length = length
    self.problem = problem
  }
}
