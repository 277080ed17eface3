/// An initial input.
package struct FuzzSeed: Sendable {
  /// The name of its file.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
  }
}
