/// The place of an object in a store.
package struct StoreKey: Hashable, Sendable {
  package let log: StoreLog
  /// Counted from 1.
  package let sequence: UInt64

  package init(log: StoreLog, sequence: UInt64) {
    self.log = log
    self.sequence = sequence
  }
}
