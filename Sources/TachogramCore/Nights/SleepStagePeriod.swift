/// A stretch of a night in one sleep stage.
package struct SleepStagePeriod: Hashable, Sendable {
  package var start: MonotonicTime
  package var end: MonotonicTime
  package var stage: SleepStage

  package init(start: MonotonicTime, end: MonotonicTime, stage: SleepStage) {
    self.start = start
    self.end = end
    self.stage = stage
  }
}
