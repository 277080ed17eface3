extension Array {
  /// Returns the first index at which the predicate is true. It must be false for all elements before that, and true for all
  /// after. O(log n).
  package func partitioned(_ predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
