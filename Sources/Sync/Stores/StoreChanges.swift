/// What changed in a space of a store.
package struct StoreChanges: Hashable, Sendable {
  /// The state now. It equals the mark after which was asked if nothing changed.
  package let mark: StoreMark
  /// The logs in which an object was put or deleted after the mark; all logs if there was no mark. In the order of stations and
  /// kinds.
  package let logs: [StoreLog]

  package init(mark: StoreMark, logs: [StoreLog]) {
    self.mark = mark
    self.logs = logs
  }
}
