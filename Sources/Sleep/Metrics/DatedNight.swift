import TachogramCore

/// The stages of a night with its place in civil time.
package struct DatedNight: Hashable, Sendable {
  /// The start of the first epoch.
  package let start: WallTime
  package let stages: [SleepStage]

  package init(start: WallTime, stages: [SleepStage]) {
    (self.start, self.stages) = (start, stages)
  }
}
