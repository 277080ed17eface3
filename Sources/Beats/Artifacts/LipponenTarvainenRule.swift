import TachogramCore

/// The beat classification of Lipponen & Tarvainen 2019 (J Med Eng Technol 43(3):173–181, sections 2.1 and 2.2, figure 1) on
/// one run of intervals. docs/metrics.md describes the treatment of the ends of a run, which the paper leaves open.
struct LipponenTarvainenRule: Sendable {
  /// α: the number of quartile deviations in a threshold.
  private static let deviations = 5.2
  /// The number of beats on either side used for the threshold of a beat: 91 with itself.
  private static let reach = 45
  /// The number of intervals on either side used for the median of an interval: 11 with itself.
  private static let medianReach = 5
  /// c₁ and c₂: slope and offset of the line beyond which a beat is ectopic in the plane of S11 and S12.
  private static let (slope, offset) = (0.13, 0.17)
  /// The number of thresholds by which an interval may differ from its median.
  private static let farOff = 3.0

  /// The intervals in ms, preceded by one of mean length that stands for the unknown interval before the first beat.
  private let intervals: [Double]
  /// The median of the intervals around each.
  private let medians: [Double]
  /// dRR, the difference of each interval from its predecessor, in units of its Th1; NaN where that is 0.
  private let differences: [Double]
  /// mRR, the difference of each interval from its median, doubled if negative, in units of its Th2; NaN if Th2 is 0.
  private let departures: [Double]
  /// Th2 in ms.
  private let departureThresholds: [Double]

  /// Creates the rule for the intervals of a run, in ms.
  init(_ run: [Double]) {
    intervals = [Self.mean(run)] + run
    let steps = zip(intervals, intervals.dropFirst()).map { $1 - $0 }
    let differences = [Self.mean(steps)] + steps
    self.differences = Self.quotients(differences, by: Self.thresholds(differences))
    medians = SortedWindow.measures(around: intervals, reach: Self.medianReach, \.median)
    let departures = zip(intervals, medians).map { interval, median in
      let departure = interval - median
      return departure < 0 ? 2 * departure : departure
    }
    departureThresholds = Self.thresholds(departures)
    self.departures = Self.quotients(departures, by: departureThresholds)
  }

  /// Returns the class of each interval of the run. An interval is abnormal if the beat that ends it is missed, extra or
  /// misplaced. The last one is not classified, and the one before it only as a successor, because the following intervals are
  /// not known.
  func classes() -> [BeatClass] {
    var classes = Array(repeating: BeatClass.normal, count: intervals.count)
    var place = 1
    while place + 2 < intervals.count {
      defer { place += 1 }
      if isEctopic(place) {
        classes[place] = .ectopic
        continue
      }
      guard abs(differences[place]) > 1 else { continue }
      classes[place] = longOrShort(place)
      // The abnormal interval may be the successor, if the greater step follows that.
      if abs(differences[place + 1]) < abs(differences[place + 2]) {
        place += 1
        classes[place] = longOrShort(place)
      }
    }
    return Array(classes.dropFirst())
  }

  // MARK: - Deciding

  /// Returns whether both differences next to one beyond the threshold have the opposite sign: S12 is beyond the line over S11.
  private func isEctopic(_ place: Int) -> Bool {
    let bound = -Self.slope * abs(differences[place]) - Self.offset
    return abs(differences[place]) > 1 && along(place, place - 1) < bound && along(place, place + 1) < bound
  }

  /// Returns whether one of the two differences after one beyond the threshold is also beyond it, with the opposite sign: |S21|
  /// and |S22| are above 1, with opposite signs.
  private func isTakenBack(_ place: Int) -> Bool {
    let behind = (place + 1)..<min(place + 3, differences.count)
    return abs(differences[place]) > 1 && behind.contains { along(place, $0) < -1 }
  }

  /// Returns the class of an interval that is not ectopic.
  private func longOrShort(_ place: Int) -> BeatClass {
    let isTakenBack = isTakenBack(place)
    guard isTakenBack || abs(departures[place]) > Self.farOff else { return .normal }
    let (interval, median) = (intervals[place], medians[place])
    if isTakenBack, differences[place] < 0, isWithin(interval + intervals[place + 1] - median, place) { return .extra }
    if isTakenBack, differences[place] > 0, isWithin(interval / 2 - median, place) { return .missed }
    return .longShort
  }

  private func isWithin(_ departure: Double, _ place: Int) -> Bool {
    abs(departure) < departureThresholds[place]
  }

  /// Returns the difference at `other`, signed relative to the direction of that at `place`.
  private func along(_ place: Int, _ other: Int) -> Double {
    differences[place] < 0 ? -differences[other] : differences[other]
  }

  // MARK: - Thresholds

  private static func thresholds(_ values: [Double]) -> [Double] {
    SortedWindow.measures(around: values.map(abs), reach: reach, \.quartileDeviation).map { deviations * $0 }
  }

  private static func quotients(_ values: [Double], by thresholds: [Double]) -> [Double] {
    zip(values, thresholds).map { $1 == 0 ? .nan : $0 / $1 }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }
}
