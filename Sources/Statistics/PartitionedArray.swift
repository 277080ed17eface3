extension Array {
  /// The first place from which on the predicate holds, which holds nowhere before it; found in O(log n).
  package func partitioned(_ predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
