/// The value at a place of a sample in ascending order, without sorting it: quickselect (Hoare 1961, Communications of the ACM
/// 4:321–322), which gives up and sorts where its pivots are bad.
package enum OrderStatistic {
  /// Rounds in which half of the values fall away on the whole, in a sample that memory holds.
  private static let rounds = 96

  /// What stands at `place` when `values` are in ascending order; none of them is NaN. Moves the values so that those before
  /// the place are at most it, and those behind it are at least it.
  package static func select(_ place: Int, of values: inout [Double]) -> Double {
    var (low, high) = (0, values.count - 1)
    var rounds = Self.rounds
    while low < high {
      rounds -= 1
      if rounds == 0 {
        values.sort()
        break
      }
      let (left, right) = part(&values, low, high)
      if place <= left {
        high = left
      } else if place >= right {
        low = right
      } else {
        break
      }
    }
    return values[place]
  }

  /// Moves what is at most a pivot to the left and what is at least it to the right. Returns where the left part ends and the
  /// right one begins; what may be between the two equals the pivot.
  @inline(__always)
  private static func part(_ values: inout [Double], _ low: Int, _ high: Int) -> (left: Int, right: Int) {
    var values = values.mutableSpan
    let (first, middle, last) = (values[low], values[low + (high - low) / 2], values[high])
    let pivot = max(min(first, middle), min(max(first, middle), last))
    var (left, right) = (low, high)
    while left <= right {
      while values[left] < pivot { left += 1 }
      while values[right] > pivot { right -= 1 }
      if left <= right {
        (values[left], values[right]) = (values[right], values[left])
        (left, right) = (left + 1, right - 1)
      }
    }
    return (right, left)
  }
}
