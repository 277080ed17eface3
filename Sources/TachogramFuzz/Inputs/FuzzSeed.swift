/// An input to begin with.
package struct FuzzSeed: Sendable {
  /// Names its file.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
  }
}
