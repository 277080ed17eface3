import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time-domain metrics by their definitions, in plain double precision and two passes: the oracle of the engine, with which
/// it shares no code. It uses loops instead of closures, because suites call it at every beat, in debug builds too.
package enum HRVBatch {
  /// Returns the metrics of `intervals` (NN, in ms). `breaksBefore` contains the indices of the intervals that follow a gap.
  package static func metrics(of intervals: [Double], breaksBefore: Set<Int> = []) -> TimeDomainMetrics {
    let duration = sum(of: intervals)
    var values = HRVValues()
    if !intervals.isEmpty, duration >= 10_000 {
      let mean = duration / Double(intervals.count)
      values.meanNN = mean
      values.meanHeartRate = 60_000 / mean
    }
    let (differences, sums) = pairs(of: intervals, breaksBefore: breaksBefore)
    if duration >= 30_000 {
      if !differences.isEmpty {
        let rmssd = (sumOfSquares(of: differences, around: 0) / Double(differences.count)).squareRoot()
        values.rmssd = rmssd
        values.lnRMSSD = rmssd > 0 ? log(rmssd) : nil
      }
      values.sdsd = deviation(of: differences)
    }
    if !intervals.isEmpty, duration >= 60_000 {
      values.sdnn = deviation(of: intervals)
      if !differences.isEmpty {
        values.pnn50 = Double(count(of: differences, beyond: 50)) / Double(intervals.count) * 100
        values.pnn20 = Double(count(of: differences, beyond: 20)) / Double(intervals.count) * 100
      }
      values.sd1 = deviation(of: differences).map { $0 / 2.0.squareRoot() }
      values.sd2 = deviation(of: sums).map { $0 / 2.0.squareRoot() }
    }
    return TimeDomainMetrics(
      count: intervals.count, pairCount: differences.count, duration: duration, values: values,
    )
  }

  // MARK: - Pieces

  /// Returns xᵢ − xᵢ₋₁ and xᵢ + xᵢ₋₁ of the neighbours with no gap between them.
  private static func pairs(
    of intervals: [Double], breaksBefore: Set<Int>,
  ) -> (differences: [Double], sums: [Double]) {
    var differences: [Double] = []
    var sums: [Double] = []
    differences.reserveCapacity(intervals.count)
    sums.reserveCapacity(intervals.count)
    var index = 1
    while index < intervals.count {
      if breaksBefore.isEmpty || !breaksBefore.contains(index) {
        differences.append(intervals[index] - intervals[index - 1])
        sums.append(intervals[index] + intervals[index - 1])
      }
      index += 1
    }
    return (differences, sums)
  }

  private static func sum(of values: [Double]) -> Double {
    var sum = 0.0
    var index = 0
    while index < values.count {
      sum += values[index]
      index += 1
    }
    return sum
  }

  private static func sumOfSquares(of values: [Double], around mean: Double) -> Double {
    var sum = 0.0
    var index = 0
    while index < values.count {
      let deviation = values[index] - mean
      sum += deviation * deviation
      index += 1
    }
    return sum
  }

  private static func count(of values: [Double], beyond threshold: Double) -> Int {
    var count = 0
    var index = 0
    while index < values.count {
      if values[index] > threshold || values[index] < -threshold { count += 1 }
      index += 1
    }
    return count
  }

  /// The sample standard deviation; `nil` for fewer than two values.
  private static func deviation(of values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let mean = sum(of: values) / Double(values.count)
    return (sumOfSquares(of: values, around: mean) / Double(values.count - 1)).squareRoot()
  }
}
