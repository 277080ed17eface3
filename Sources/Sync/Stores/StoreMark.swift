/// A state of a space in a store: the number of its changes until then. A store that was restored may have a smaller one than it
/// had before, so marks are compared for being equal only.
package struct StoreMark: Hashable, Sendable {
  package let changeCount: Int64

  package init(changeCount: Int64) {
    self.changeCount = changeCount
  }
}
