import HeapModule

/// The deadlines of calls, the earliest first. Deadlines of calls that have ended are kept until they pass or outnumber the
/// others.
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

  /// Removes the unwanted entries if there are far more than `live` entries, at an amortised constant cost per entry.
  mutating func compact(live: Int, isWanted: (Entry) -> Bool) {
    guard heap.count > 2 * live + 64 else { return }
    heap = Heap(heap.unordered.filter(isWanted))
  }
}
