/// The median of the few neighbours of an interval.
enum NeighbourMedian {
  /// Returns the median of two short lists together, or `nil` if both are empty. Neither contains NaN.
  static func of(_ left: Span<Double>, _ right: Span<Double>) -> Double? {
    if left.count == 5, right.count == 5 { return ofFiveAndFive(left, right) }
    let count = left.count + right.count
    guard count > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { values in
      var filled = 0
      func insert(_ value: Double) {
        var place = filled
        while place > 0, values[place - 1] > value {
          values[place] = values[place - 1]
          place -= 1
        }
        values[place] = value
        filled += 1
      }
      for index in 0..<left.count { insert(left[index]) }
      for index in 0..<right.count { insert(right[index]) }
      return count.isMultiple(of: 2) ? (values[count / 2 - 1] + values[count / 2]) / 2 : values[count / 2]
    }
  }

  /// Returns the median of ten values by a sorting network (29 exchanges, Waksman 1969, in Knuth, The Art of Computer
  /// Programming 3, 5.3.4), which avoids mispredicted branches.
  @inline(__always)
  private static func ofFiveAndFive(_ left: Span<Double>, _ right: Span<Double>) -> Double {
    var (a, b, c, d, e) = (left[0], left[1], left[2], left[3], left[4])
    var (f, g, h, i, j) = (right[0], right[1], right[2], right[3], right[4])
    order(&a, &i)
    order(&b, &j)
    order(&c, &h)
    order(&d, &f)
    order(&e, &g)
    order(&a, &c)
    order(&b, &e)
    order(&f, &i)
    order(&h, &j)
    order(&a, &d)
    order(&c, &e)
    order(&f, &h)
    order(&g, &j)
    order(&a, &b)
    order(&d, &g)
    order(&i, &j)
    order(&b, &f)
    order(&c, &d)
    order(&e, &i)
    order(&g, &h)
    order(&b, &c)
    order(&d, &f)
    order(&e, &g)
    order(&h, &i)
    order(&c, &d)
    order(&e, &f)
    order(&g, &h)
    order(&d, &e)
    order(&f, &g)
    return (e + f) / 2
  }

  @inline(__always)
  private static func order(_ low: inout Double, _ high: inout Double) {
    let (less, more) = (low < high ? low : high, low < high ? high : low)
    (low, high) = (less, more)
  }
}
