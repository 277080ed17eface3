/// A case of the golden test: a folder of `Fixtures` with an input, and what the program makes of it.
package struct FixtureCase: Sendable {
  /// The name of the folder.
  package let name: String
  /// What it shows, for the README of the folder.
  package let summary: String
  /// Makes the bytes of the input.
  package let input: @Sendable () -> [UInt8]

  package init(_ name: String, _ summary: String, input: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.summary = summary
    self.input = input
  }
}
