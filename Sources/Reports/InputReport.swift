import Pipeline
import Sessions
import StressKit

/// The report of one input. The sections of its first strap are at the top level; further straps are in `otherStraps`.
package struct InputReport: Encodable {
  package let capture: CaptureSection
  package let main: StrapReport
  package let otherStraps: [StrapReport]
  /// A sentence about the reason why the input is unusable, or `nil` if any of it is usable.
  package var refusal: String?

  package init(capture: CaptureSection, main: StrapReport, otherStraps: [StrapReport]) {
    (self.capture, self.main, self.otherStraps) = (capture, main, otherStraps)
  }

  /// Creates the report of a replayed capture. `kind` is the metric used for HRV in the stress level.
  package init(_ ending: ReplayRunner.Ending, kind: HRVKind) {
    let empty = SeriesAnalysis(baseline: .default(kind: kind)).report()
    func report(_ strap: ReplayRunner.Strap) -> StrapReport {
      switch strap {
      case .session(let session): StrapReport(session)
      case .unusable(let strap): StrapReport(unusable: strap, empty: empty)
      }
    }
    self.init(
      capture: CaptureSection(ending.plan, notifications: ending.notifications), main: report(ending.straps.first),
      otherStraps: ending.straps.others.map(report))
    refusal = ending.refusal
  }

  private enum Key: String, CodingKey {
    case capture, otherStraps
  }

  package func encode(to encoder: any Encoder) throws {
    try main.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(capture, forKey: .capture)
    if !otherStraps.isEmpty { try container.encode(otherStraps, forKey: .otherStraps) }
  }
}
