/// An object with its place in a store.
package struct StoreObject: Hashable, Sendable {
  package let key: StoreKey
  package let bytes: [UInt8]

  package init(key: StoreKey, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }
}
