import Pipeline
import Sessions
import StressKit

/// The report of one input. The sections of its first strap stand at the top; further straps follow under `otherStraps`.
package struct InputReport: Encodable {
  package let capture: CaptureSection
  package let main: StrapReport
  package let otherStraps: [StrapReport]
  /// Why nothing in the input can be used, in a sentence; `nil` when something can.
  package var refusal: String?

  package init(capture: CaptureSection, main: StrapReport, otherStraps: [StrapReport]) {
    (self.capture, self.main, self.otherStraps) = (capture, main, otherStraps)
  }

  /// Of a capture that was replayed; `kind` is the metric that stands for HRV in the stress level.
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
