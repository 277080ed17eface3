import TachogramCore

extension SleepStagePeriod {
  /// Returns the stages of epochs of 30 s as periods, of which the first begins at `start`.
  package static func periods(of stages: [SleepStage], from start: MonotonicTime) -> [SleepStagePeriod] {
    var periods: [SleepStagePeriod] = []
    for (place, stage) in stages.enumerated() {
      let begin = start.advanced(byMicroseconds: Int64(place) * SleepAxis.microsecondsPerEpoch)
      let end = begin.advanced(byMicroseconds: SleepAxis.microsecondsPerEpoch)
      if periods.last?.stage == stage {
        periods[periods.count - 1].end = end
      } else {
        periods.append(SleepStagePeriod(start: begin, end: end, stage: stage))
      }
    }
    return periods
  }
}
