/// Connections in the order in which they came to wait. One that waits no longer stays until it is first, or until there are
/// too many of these: nothing is looked for in the middle.
struct ConnectionQueue {
  /// A connection, and the change that made it wait.
  struct Item: Hashable {
    let number: Int
    let since: Int
  }

  /// Items that are kept whether or not they still wait.
  private static let leastKept = 64

  private var items: [Item] = []
  private var head = 0

  /// Items that are kept.
  var count: Int { items.count - head }

  /// Appends one; `count` is how many may still wait at most.
  mutating func append(_ item: Item, count: Int, isWaiting: (Item) -> Bool) {
    items.append(item)
    guard items.count > max(Self.leastKept, 4 * count) else { return }
    items = items[head...].filter(isWaiting)
    head = 0
  }

  /// The first that still waits.
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
