import TachogramCore

/// The filters that compare an interval with its neighbours. Rejected intervals are `.longShort`, because the filters do not
/// distinguish causes.
enum NeighbourRule {
  /// The share of the reference value by which an interval may differ from it.
  private static let share = 0.2

  /// Malik's filter: an interval that differs by more than 20 % of its predecessor from it is rejected (Malik, Cripps, Farrell
  /// & Camm 1989, Med Biol Eng Comput 27:603–611). The predecessor is the raw one, even if it was rejected, so that the
  /// successor of a short interval is rejected too. The first interval has no predecessor and is kept. hrv-analysis
  /// (`remove_ectopic_beats(method: "malik")`) skips the interval after a rejected one, and so keeps it.
  static func malik(_ intervals: [Double]) -> [BeatClass] {
    intervals.indices.map { index in
      index > 0 && differs(intervals[index], from: intervals[index - 1]) ? .longShort : .normal
    }
  }

  /// Karlsson's filter: an interval that differs by more than 20 % of the mean of its two raw neighbours from that mean is
  /// rejected (Karlsson, Hörnsten, Rydberg & Wiklund 2012, Biomed Eng Online 11:2, who try limits of 10 … 50 % and repeat
  /// the filter on what it left; here it is 20 %, once). The first and the last interval have one neighbour and stay.
  /// hrv-analysis, once as well, also rejects a difference of exactly 20 %.
  static func karlsson(_ intervals: [Double]) -> [BeatClass] {
    intervals.indices.map { index in
      guard index > 0, index + 1 < intervals.count else { return .normal }
      let mean = (intervals[index - 1] + intervals[index + 1]) / 2
      return differs(intervals[index], from: mean) ? .longShort : .normal
    }
  }

  private static func differs(_ interval: Double, from other: Double) -> Bool {
    abs(interval - other) > share * other
  }
}
