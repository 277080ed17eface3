import TachogramCore

/// The beat classification of Lipponen & Tarvainen 2019 (J Med Eng Technol 43(3):173–181, sections 2.1 and 2.2, figure 1)
/// on one run of intervals. Where the paper leaves open what holds at the ends of a run, docs/metrics.md says what is
/// done here.
struct LipponenTarvainenRule: Sendable {
  /// α: a threshold is so many quartile deviations.
  private static let deviations = 5.2
  /// Beats on either side whose quartile deviation makes the threshold of one: 91 with itself.
  private static let reach = 45
  /// Intervals on either side whose median is expected of one: 11 with itself.
  private static let medianReach = 5
  /// c₁ and c₂: slope and offset of the line beyond which a beat is ectopic in the plane of S11 and S12.
  private static let (slope, offset) = (0.13, 0.17)
  /// The thresholds by which an interval may be off its median.
  private static let farOff = 3.0

  /// The intervals in ms, led by one of mean length in the place of that which ends with the first beat.
  private let intervals: [Double]
  /// The median of the intervals around each.
  private let medians: [Double]
  /// dRR, the difference of each interval from its predecessor, in units of its Th1; NaN where that is 0.
  private let differences: [Double]
  /// mRR, what each interval is off its median, doubled where that is below 0, in units of its Th2; NaN where that is 0.
  private let departures: [Double]
  /// Th2 in ms.
  private let departureThresholds: [Double]

  /// The rule over the intervals of a run, in ms.
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

  /// What each interval of the run is. An interval is the odd one when the beat that ends it is missed, extra or out of
  /// place. The last one is not judged, and the one before it only as a successor: what follows is not known.
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
      // The odd one may be its successor, when the greater step comes behind that.
      if abs(differences[place + 1]) < abs(differences[place + 2]) {
        place += 1
        classes[place] = longOrShort(place)
      }
    }
    return Array(classes.dropFirst())
  }

  // MARK: - Deciding

  /// Whether both differences next to one beyond the threshold go the other way: S12 is beyond the line over S11.
  private func isEctopic(_ place: Int) -> Bool {
    let bound = -Self.slope * abs(differences[place]) - Self.offset
    return abs(differences[place]) > 1 && along(place, place - 1) < bound && along(place, place + 1) < bound
  }

  /// Whether one of the two differences behind one beyond the threshold goes the other way, beyond it as well: |S21| and
  /// |S22| are above 1, with opposite signs.
  private func isTakenBack(_ place: Int) -> Bool {
    let behind = (place + 1)..<min(place + 3, differences.count)
    return abs(differences[place]) > 1 && behind.contains { along(place, $0) < -1 }
  }

  /// What an interval is that is not ectopic.
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

  /// The difference at `other`, counted in the direction of that at `place`.
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
