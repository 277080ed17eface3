import FoundationEssentials
import Repository
import Stress
import StressKit
import TachogramCore

/// The baselines of a person, computed from the database.
package struct PersonBaselines: Sendable {
  package struct Question: Sendable {
    /// The person, or `nil` for sessions without a person.
    package let person: String?
    package let day: CivilDay
    /// The time of the baselines. Later data is ignored.
    package let instant: WallTime
    package let timeZone: TimeZone

    package init(person: String?, day: CivilDay, instant: WallTime, timeZone: TimeZone) {
      (self.person, self.day, self.instant, self.timeZone) = (person, day, instant, timeZone)
    }
  }

  package let question: Question
  /// The baselines of stress levels, one for each kind of HRV.
  package let stress: [PersonalBaseline]
  /// The number of 5-minute windows used for the metrics.
  package let windowCount: Int
  package let metrics: [MetricBaseline]
  /// The resting heart rate in bpm, or `nil` if there are too few windows.
  package let restingHeartRate: Double?
  package let readiness: Readiness

  package init(_ question: Question, from database: TachogramDatabase) throws {
    self.question = question
    let (instant, zone) = (question.instant, question.timeZone)
    stress = try HRVKind.allCases.map { kind in
      try StressBaselines.baseline(person: question.person, kind: kind, at: instant, database: database)
    }
    let windows = WindowRepository(database: database, person: question.person)

    var (sampling, mornings) = (WindowSampling(), MorningReadingSelection(timeZone: zone))
    let since = instant.advanced(byMicroseconds: -Int64(BaselineCalculator.days) * 86_400_000_000)
    let first = question.day.advanced(by: 1 - ReadinessCalculator.days).start(in: zone)
    let start = min(since, WallTime(first))
    let sessions = try windows.sessions(in: start...instant)
    try windows.forEachWindow(ofLength: WindowSampling.length, in: since...instant, of: sessions) { window in
      sampling.append(window)
      return sampling.nextEnd
    }
    // Only one window of a morning is used; the others, which are the majority, are not read.
    for length in MorningReadingSelection.lengths {
      try windows.forEachWindow(ofLength: length, in: start...instant, of: sessions) { window in
        mornings.append(window)
        return mornings.nextEnd(after: window)
      }
    }
    let calculator = MetricBaselineCalculator(timeZone: zone)
    windowCount = sampling.samples.count
    metrics = MetricBaselineCalculator.metrics.map { metric in
      calculator.baseline(of: metric, from: sampling.samples, at: instant.date)
    }
    restingHeartRate = calculator.restingHeartRate(from: sampling.samples, at: instant.date)
    let readings = try ReadingRepository(database: database).readings(
      of: question.person, kind: .morning, since: WallTime(first))
    let merged = GuidedMornings.merged(mornings.readings, with: readings, until: instant, timeZone: zone)
    readiness = ReadinessCalculator(timeZone: zone).readiness(from: merged, on: question.day)
  }
}
