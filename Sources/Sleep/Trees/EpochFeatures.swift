/// The features of a night by name, for each epoch, as tools/lib/sleep/README.md defines them.
package struct EpochFeatures: Hashable, Sendable {
  /// The epochs of an hour.
  private static let epochsPerHour = 120.0
  /// The longest time since the start and until the end, in hours.
  private static let (longestTime, longestRest) = (8.0, 1.0)
  /// Added to deviations before their ratio, in beats per minute.
  private static let offset = 0.2

  package private(set) var series: [String: EpochSeries] = [:]
  let isCausal: Bool

  /// Computes all features of heart rate, in beats per minute, and of movement, in any unit with a zero. Without one of them, its
  /// features are missing. Causal features of an epoch depend on no later one.
  package init(_ epochCount: Int, heartRate: EpochSeries?, movement: EpochSeries?, isCausal: Bool) {
    self.isCausal = isCausal
    if let heartRate {
      let features = HeartRateFeatures(heartRate, isCausal: isCausal)
      if isCausal { features.addCausal(to: &self) } else { features.addWholeNight(to: &self) }
    }
    if let movement {
      let features = MovementFeatures(movement, isCausal: isCausal)
      if isCausal { features.addCausal(to: &self) } else { features.addWholeNight(to: &self) }
    }
    self["time"] = EpochSeries((0..<epochCount).map { min(Double($0) / Self.epochsPerHour, Self.longestTime) })
    if !isCausal {
      self["rest"] = EpochSeries(
        (0..<epochCount).map { min(Double(epochCount - 1 - $0) / Self.epochsPerHour, Self.longestRest) })
    }
  }

  subscript(name: String) -> EpochSeries? {
    get { series[name] }
    set { series[name] = newValue }
  }

  /// Adds a feature, and its ratio to the median of the night, or of the night up to each epoch.
  mutating func addWithRatio(_ name: String, _ values: EpochSeries) {
    series[name] = values
    for median in values.quantiles([0.5], isCausal: isCausal) {
      series[name + "_ratio"] = EpochSeries(
        zip(values.values, median.values).map { ($0 + Self.offset) / ($1 + Self.offset) })
    }
  }

  /// Adds features at other epochs, `shifts` epochs later.
  mutating func addShifted(_ names: [String], by shifts: [Int]) {
    for shift in shifts {
      for name in names { series["\(name)_at_\(shift > 0 ? "+" : "")\(shift)"] = series[name]?.shifted(by: shift) }
    }
  }
}
