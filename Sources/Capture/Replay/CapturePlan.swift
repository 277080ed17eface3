import TachogramCore

/// The result of the survey of a capture: its straps, and the notifications to replay.
package struct CapturePlan: Sendable {
  /// The straps with notifications to replay.
  package let straps: [PlannedStrap]
  /// Straps whose heart-rate notifications cannot be used.
  package let unusableStraps: [PlannedStrap]
  /// The first handles that may be worth trying with `--handle`.
  package let unidentifiedHandles: [UnidentifiedHandle]
  package let summary: CaptureSummary
  /// Whether a strap sent pulse intervals beside its heart rate, which takes another pass over the capture.
  package let hasPulseIntervals: Bool
  /// The revision of the survey that it was made from.
  let revision: Int
  /// Routes by connection number, one for each handle that notifies.
  let routes: [[HandleRoute]]

  /// The number of connections and parts of their routes, a measure of the time to make it.
  var size: Int { routes.reduce(routes.count) { $0 + $1.reduce(0) { $0 + $1.parts.count } } }

  /// Returns the error for a capture without usable straps.
  package func refusal(path: String) -> CaptureError {
    let leftOut = unusableStraps.reduce(into: LeftOutCounts()) { $0.add($1.leftOut) }
    return .noHeartRate(path: path, why: .unusable(leftOut), summary: summary)
  }

  /// Creates the plan. `handle`, if given, carries heart rate on every connection that notifies on it.
  init(survey: CaptureSurvey, summary: CaptureSummary, handle: UInt16?) {
    var planner = CapturePlanner(survey: survey, given: handle)
    planner.plan()
    self.summary = summary
    hasPulseIntervals = survey.hasPulseIntervals
    revision = survey.revision
    straps = planner.straps
    unusableStraps = planner.unusableStraps
    unidentifiedHandles = planner.unidentifiedHandles
    routes = planner.routes
  }
}
