import HeapModule

/// Deadlines of calls, the earliest first. Those of calls that have ended stay until they come up or until they are the greater
/// part.
struct CallDeadlines {
  struct Entry: Hashable, Comparable {
    var deadline: Int64
    var serial: UInt32

    static func < (one: Entry, other: Entry) -> Bool {
      (one.deadline, one.serial) < (other.deadline, other.serial)
    }
  }

  private var heap = Heap<Entry>()

  var first: Entry? { heap.min }

  mutating func insert(_ entry: Entry) {
    heap.insert(entry)
  }

  mutating func removeFirst() -> Entry? {
    heap.popMin()
  }

  /// Drops the entries that are not wanted when there are far more than `live` of them: constant cost an entry.
  mutating func compact(live: Int, isWanted: (Entry) -> Bool) {
    guard heap.count > 2 * live + 64 else { return }
    heap = Heap(heap.unordered.filter(isWanted))
  }
}
