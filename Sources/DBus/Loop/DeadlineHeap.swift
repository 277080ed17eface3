/// Deadlines of calls, the earliest first. Entries of calls that have ended stay until they come up or until they are
/// the greater part.
struct DeadlineHeap {
  struct Entry: Hashable {
    var deadline: Int64
    var serial: UInt32
  }

  private(set) var entries: [Entry] = []

  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var index = entries.count - 1
    while index > 0, entries[index].deadline < entries[(index - 1) / 2].deadline {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> Entry? {
    guard let first = entries.first else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    sink(0)
    return first
  }

  /// Drops the entries that are not wanted when there are far more than `live` of them: constant cost an entry.
  mutating func compact(live: Int, isWanted: (Entry) -> Bool) {
    guard entries.count > 2 * live + 64 else { return }
    entries = entries.filter(isWanted)
    for index in stride(from: entries.count / 2, through: 0, by: -1) { sink(index) }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].deadline < entries[least].deadline { least = child }
      guard least != index else { return }
      entries.swapAt(index, least)
      index = least
    }
  }
}
