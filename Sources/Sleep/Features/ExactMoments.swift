/// Mean and deviations of whole numbers of ticks, from exact sums. Below 10⁶ numbers of up to 2048 ticks, no sum overflows.
struct ExactMoments {
  private static let second = Double(SleepAxis.ticksPerSecond)

  private var count: Int64 = 0
  private var sum: Int64 = 0
  private var squares: Int64 = 0

  mutating func add(_ ticks: Int64) {
    count += 1
    sum += ticks
    squares += ticks * ticks
  }

  /// The mean in s; NaN if there are no numbers.
  var mean: Double { Double(sum) / Double(count) / Self.second }

  /// The root of the mean square in s; NaN if there are no numbers.
  var rootMeanSquare: Double { (Double(squares) / Double(count)).squareRoot() / Self.second }

  /// The sample standard deviation in s; NaN if there are fewer than two numbers.
  var deviation: Double {
    guard count > 1 else { return .nan }
    let scaled = Double(count * squares - sum * sum)
    return (scaled / (Double(count) * Double(count - 1))).squareRoot() / Self.second
  }
}
