import Statistics

/// A value for each epoch of a night; NaN is a missing one. Windows and aggregates are those of tools/lib/sleep/README.md.
///
/// The *window* (before, after) of epoch e are the epochs e − before … e + after that lie within the night. Its size counts
/// missing values too. Sums are in the order of time.
package struct EpochSeries: Hashable, Sendable {
  package let values: [Double]

  package init(_ values: [Double]) {
    self.values = values
  }

  /// The number of values that are not missing.
  package var knownCount: Int { values.count { !$0.isNaN } }

  // MARK: - Windows

  /// Returns the means of windows of which at least half is known, NaN elsewhere.
  func means(_ before: Int, _ after: Int) -> EpochSeries {
    aggregates(before, after) { values, size in
      values.isEmpty || 2 * values.count < size ? .nan : Self.sum(values) / Double(values.count)
    }
  }

  /// Returns the sample standard deviations of windows of which at least half and two values are known, NaN elsewhere.
  func deviations(_ before: Int, _ after: Int) -> EpochSeries {
    aggregates(before, after) { values, size in
      guard values.count >= 2, 2 * values.count >= size else { return .nan }
      let mean = Self.sum(values) / Double(values.count)
      var squares = 0.0
      for value in values { squares += (value - mean) * (value - mean) }
      return (squares / Double(values.count - 1)).squareRoot()
    }
  }

  /// Returns the largest known values of windows, NaN where there are none.
  func maxima(_ before: Int, _ after: Int) -> EpochSeries {
    aggregates(before, after) { values, _ in values.max() ?? .nan }
  }

  /// Returns the smallest known values of windows, NaN where there are none.
  func minima(_ before: Int, _ after: Int) -> EpochSeries {
    aggregates(before, after) { values, _ in values.min() ?? .nan }
  }

  /// Returns the aggregates of the known values and the size of each window. A negative bound leaves out epochs next to e.
  private func aggregates(_ before: Int, _ after: Int, _ aggregate: ([Double], Int) -> Double) -> EpochSeries {
    var known: [Double] = []
    known.reserveCapacity(before + after + 1)
    return EpochSeries(
      values.indices.map { epoch in
        let lower = max(epoch - before, 0)
        let upper = max(min(epoch + after + 1, values.count), lower)
        known.removeAll(keepingCapacity: true)
        for value in values[lower..<upper] where !value.isNaN { known.append(value) }
        return aggregate(known, upper - lower)
      })
  }

  private static func sum(_ values: [Double]) -> Double {
    var sum = 0.0
    for value in values { sum += value }
    return sum
  }

  // MARK: - Quantiles

  /// Returns a series for each share: the quantiles of all known values, or for each epoch of those up to it. NaN where none
  /// is known.
  func quantiles(_ shares: [Double], isCausal: Bool) -> [EpochSeries] {
    var sorted: [Double] = []
    guard isCausal else {
      sorted = values.filter { !$0.isNaN }.sorted()
      return shares.map { share in
        let quantile = Quantile.ofSorted(sorted, at: share) ?? .nan
        return EpochSeries([Double](repeating: quantile, count: values.count))
      }
    }
    var found = [[Double]](repeating: [], count: shares.count)
    for value in values {
      if !value.isNaN { sorted.insert(value, at: Self.place(sorted) { $0 > value }) }
      for (index, share) in shares.enumerated() {
        found[index].append(Quantile.ofSorted(sorted, at: share) ?? .nan)
      }
    }
    return found.map(EpochSeries.init)
  }

  /// Returns the share of known values below each value, with half of the equal ones.
  func ranks() -> EpochSeries {
    let sorted = values.filter { !$0.isNaN }.sorted()
    return map { value in
      guard !value.isNaN else { return .nan }
      let below = Self.place(sorted) { $0 >= value }
      let notAbove = Self.place(sorted) { $0 > value }
      return Double(below + notAbove) / 2 / Double(sorted.count)
    }
  }

  /// Returns the first position in sorted values at which `isBehind` holds, which it does from there on.
  private static func place(_ sorted: [Double], _ isBehind: (Double) -> Bool) -> Int {
    var (lower, upper) = (0, sorted.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if isBehind(sorted[middle]) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }

  // MARK: - Values

  /// Returns the values changed one by one.
  func map(_ transform: (Double) -> Double) -> EpochSeries { EpochSeries(values.map(transform)) }

  /// Returns for each epoch the value `shift` epochs later, NaN outside of the night.
  func shifted(by shift: Int) -> EpochSeries {
    EpochSeries(values.indices.map { values.indices.contains($0 + shift) ? values[$0 + shift] : .nan })
  }

  /// Returns the absolute differences to the epoch before, NaN for the first one.
  func steps() -> EpochSeries {
    EpochSeries(values.indices.map { $0 == 0 ? .nan : abs(values[$0] - values[$0 - 1]) })
  }

  /// Returns the differences to another series, as multiples of a scale.
  func minus(_ other: EpochSeries, over scale: EpochSeries) -> EpochSeries {
    EpochSeries(values.indices.map { (values[$0] - other.values[$0]) / scale.values[$0] })
  }

  func reversed() -> EpochSeries { EpochSeries(values.reversed()) }
}
