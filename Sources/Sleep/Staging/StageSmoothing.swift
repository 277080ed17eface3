import TachogramCore

/// Removes short runs of a stage between two runs of one other stage, the shortest first and of equal ones the first.
package enum StageSmoothing {
  /// Returns the stages without runs shorter than `minimum` that lie between runs of one other stage: they become that stage.
  /// `unknown` is neither changed nor a reason to change anything.
  package static func smoothed(_ stages: [SleepStage], minimum: Int) -> [SleepStage] {
    var stages = stages
    for length in 1..<max(1, minimum) {
      var start = 0
      while start < stages.count {
        let end = stages[start...].firstIndex { $0 != stages[start] } ?? stages.count
        if end - start == length, start > 0, end < stages.count, stages[start] != .unknown,
          stages[start - 1] != .unknown, stages[start - 1] == stages[end]
        {
          for place in start..<end { stages[place] = stages[end] }
        }
        start = end
      }
    }
    return stages
  }
}
