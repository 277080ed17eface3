/// The value at a place of a sample in ascending order, without sorting it: quickselect (Hoare 1961, Communications of the ACM
/// 4:321–322), which falls back to sorting if its pivots are bad.
package enum OrderStatistic {
  /// Rounds in which half of the values fall away on the whole, in a sample that memory holds.
  private static let rounds = 96

  /// Returns the value at `place` of `values` in ascending order. None of them is NaN. Moves the values so that those before
  /// the place are not greater, and those after it are not less.
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

  /// Moves values up to a pivot to the left and values from it to the right. Returns the end of the left part and the beginning
  /// of the right one. A value between the two equals the pivot.
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
