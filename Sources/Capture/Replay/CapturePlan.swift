import TachogramCore

/// What the survey of a capture found: its straps, and which notifications of which connections to replay.
package struct CapturePlan: Sendable {
  /// The straps with notifications to replay.
  package let straps: [PlannedStrap]
  /// Straps with heart-rate notifications none of which can be used.
  package let unusableStraps: [PlannedStrap]
  /// Handles that may be worth a look with `--handle`, the first of them.
  package let unidentifiedHandles: [UnidentifiedHandle]
  package let summary: CaptureSummary
  /// Which state of the survey it is the plan of.
  let revision: Int
  /// Routes by connection number, one for each handle that notifies.
  let routes: [[HandleRoute]]

  /// Connections and parts of their routes, which making it takes time for.
  var size: Int { routes.reduce(routes.count) { $0 + $1.reduce(0) { $0 + $1.parts.count } } }

  /// Why nothing of the capture can be used, where there are no straps but unusable ones.
  package func refusal(path: String) -> CaptureError {
    let leftOut = unusableStraps.reduce(into: LeftOutCounts()) { $0.add($1.leftOut) }
    return .noHeartRate(path: path, why: .unusable(leftOut), summary: summary)
  }

  /// Makes the plan. `handle`, when given, carries heart rate on every connection that notifies on it.
  init(survey: CaptureSurvey, summary: CaptureSummary, handle: UInt16?) {
    var planner = CapturePlanner(survey: survey, given: handle)
    planner.plan()
    self.summary = summary
    revision = survey.revision
    straps = planner.straps
    unusableStraps = planner.unusableStraps
    unidentifiedHandles = planner.unidentifiedHandles
    routes = planner.routes
  }
}
