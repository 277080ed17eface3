import Capture
import Pipeline
import TachogramCore

/// The sections that describe one strap's session, or one series of intervals.
package struct StrapReport: Encodable {
  package struct Session: Encodable {
    package let id: String
    package let start: String
    package let origin: String
    package let person: String?
  }

  package var session: Session?
  package var strap: StrapSection?
  package let notifications: NotificationsSection
  package var heartRate: HeartRateSection?
  package let beats: BeatsSection
  package let artifacts: ArtifactsSection
  package let hrv: HRVSection
  package let stress: StressSection

  /// Creates the sections of a session, including the 5-minute segments if `withSegments` is `true`.
  package init(_ report: SessionReport, withSegments: Bool = false) {
    session = Session(
      id: report.session.id, start: Timestamp.text(report.session.start), origin: report.session.origin.rawValue,
      person: report.session.person)
    strap = StrapSection(report.session.strap)
    notifications = NotificationsSection(report.notifications)
    heartRate = HeartRateSection(report.notifications)
    beats = BeatsSection(report.series.beats)
    artifacts = ArtifactsSection(report.series)
    hrv = HRVSection(report.series, withSegments: withSegments)
    stress = StressSection(report.series)
  }

  /// Creates the sections of a strap without usable notifications. `empty` is a report without beats.
  package init(unusable strap: PlannedStrap, empty: SeriesReport) {
    self.strap = StrapSection(strap.identity)
    notifications = NotificationsSection(NotificationCounts(leftOut: strap.leftOut))
    beats = BeatsSection(empty.beats)
    artifacts = ArtifactsSection(empty)
    hrv = HRVSection(empty, withSegments: false)
    stress = StressSection(empty)
  }

  package init(_ report: SeriesReport) {
    notifications = NotificationsSection()
    beats = BeatsSection(report.beats)
    artifacts = ArtifactsSection(report)
    hrv = HRVSection(report, withSegments: true)
    stress = StressSection(report)
  }
}
