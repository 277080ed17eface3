/// A case of the golden test: a folder of `Fixtures` with an input and the program's output for it.
package struct FixtureCase: Sendable {
  /// The name of the folder.
  package let name: String
  /// The purpose of the case, for the README of the folder.
  package let summary: String
  /// Returns the bytes of the input.
  package let input: @Sendable () -> [UInt8]

  package init(_ name: String, _ summary: String, input: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.summary = summary
    self.input = input
  }
}
