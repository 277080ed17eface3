import Statistics

/// What the heuristic sees of five minutes.
struct FiveMinuteWindow: Hashable, Sendable {
  /// The number of epochs of a window.
  static let length = 10

  /// The mean heart rate in beats per minute; `nil` if there is none in half of the epochs.
  let heartRate: Double?
  /// The sample standard deviation of the heart rates in it.
  let heartRateDeviation: Double?
  /// The mean intensity of movement; `nil` if there is none in half of the epochs.
  let movement: Double?

  /// Creates the windows of a night from the samples of each epoch.
  static func windows(heartRates: [[Double]], movements: [[Double]]) -> [FiveMinuteWindow] {
    stride(from: 0, to: heartRates.count, by: length).map { start in
      let range = start..<min(start + length, heartRates.count)
      return FiveMinuteWindow(heartRates: heartRates[range], movements: movements[range])
    }
  }

  private init(heartRates: ArraySlice<[Double]>, movements: ArraySlice<[Double]>) {
    let (rates, intensities) = (Self.joined(heartRates), Self.joined(movements))
    let moments = rates.flatMap { SampleMoments($0) }
    heartRate = moments?.mean
    heartRateDeviation = moments?.deviation
    movement = intensities.map { $0.reduce(0, +) / Double($0.count) }
  }

  /// Returns all samples, or `nil` if fewer than half of the epochs have any.
  private static func joined(_ epochs: ArraySlice<[Double]>) -> [Double]? {
    let covered = epochs.count { !$0.isEmpty }
    return covered > 0 && 2 * covered >= epochs.count ? epochs.flatMap(\.self) : nil
  }
}
