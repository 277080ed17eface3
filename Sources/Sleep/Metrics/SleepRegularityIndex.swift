import TachogramCore

/// The sleep regularity index (Phillips et al. 2017, Scientific Reports 7:3216): 200 · p − 100, where p is the share of times at
/// which the sleeper is in the same state, asleep or awake, as 24 hours later. 100 is the same every day, 0 is chance.
///
/// Between two nights, the sleeper counts as awake if the second begins at most 36 hours after the end of the first; else a
/// night was not recorded, and nothing in between is compared. Unknown epochs are not compared. A day has 24 hours on the day
/// of a clock change as well. Epochs are on the grid of 30 s from 1970, each at the nearest place.
package enum SleepRegularityIndex {
  /// The smallest number of nights with known epochs.
  package static let minimumNights = 5
  private static let epoch = SleepAxis.microsecondsPerEpoch
  /// The epochs of 24 hours.
  private static let day = Int64(24 * 120)
  /// The longest time awake, in epochs: 36 hours.
  private static let longestWake = Int64(36 * 120)

  /// Returns the index; `nil` with fewer nights than the minimum or less than a day that can be compared. Throws if nights are not
  /// in order of time or overlap.
  package static func index(of nights: [DatedNight]) throws(SleepInputError) -> Double? {
    let states = try states(of: nights)
    guard nights.count(where: { $0.stages.contains { $0 != .unknown } }) >= minimumNights else { return nil }
    var (same, compared) = (0, 0)
    for (place, isAsleep) in states {
      guard let later = states[place + day] else { continue }
      compared += 1
      if later == isAsleep { same += 1 }
    }
    guard compared >= day else { return nil }
    return 200 * Double(same) / Double(compared) - 100
  }

  /// Returns whether the sleeper was asleep, for each place of the grid at which that is known.
  private static func states(of nights: [DatedNight]) throws(SleepInputError) -> [Int64: Bool] {
    var (states, end) = ([Int64: Bool](), Int64?.none)
    for (position, night) in nights.enumerated() where !night.stages.isEmpty {
      let start = (night.start.microseconds / epoch) + (night.start.microseconds % epoch >= epoch / 2 ? 1 : 0)
      if let end {
        if start < end { throw .unsorted(position: position) }
        if start - end <= longestWake { for place in end..<start { states[place] = false } }
      }
      for (place, stage) in night.stages.enumerated() where stage != .unknown {
        states[start + Int64(place)] = stage.isSleep
      }
      end = start + Int64(night.stages.count)
    }
    return states
  }
}
