/// Connections in the order in which they began to wait. An item that no longer waits is removed when it is first, or when
/// there are too many such items. Items in the middle are not searched for.
struct ConnectionQueue {
  /// A connection and the number of the state change with which its wait began.
  struct Item: Hashable {
    let number: Int
    let since: Int
  }

  /// The number of items up to which the queue is not compacted.
  private static let leastKept = 64

  private var items: [Item] = []
  private var head = 0

  /// The number of items, including those that no longer wait.
  var count: Int { items.count - head }

  /// Appends an item. `count` is the maximum number of items that may still wait.
  mutating func append(_ item: Item, count: Int, isWaiting: (Item) -> Bool) {
    items.append(item)
    guard items.count > max(Self.leastKept, 4 * count) else { return }
    items = items[head...].filter(isWaiting)
    head = 0
  }

  /// Returns the first item that still waits, and removes those before it.
  mutating func first(isWaiting: (Item) -> Bool) -> Item? {
    while head < items.count {
      if isWaiting(items[head]) { return items[head] }
      head += 1
    }
    items = []
    head = 0
    return nil
  }
}
