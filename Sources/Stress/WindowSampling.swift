import TachogramCore

/// Chooses the windows of a baseline: 5-minute windows with a coverage of at least 80 % and at most 20 % artifacts that do not
/// overlap. A window is recorded every minute, so that it shares most of its data with the four windows before it.
package struct WindowSampling: Sendable {
  /// The length of accepted windows.
  package static let length = WindowLength.fiveMinutes
  /// The least share of a window that intervals cover.
  package static let leastCoverage = 0.8
  /// The largest accepted share of artifacts among its beats.
  package static let mostArtifacts = 0.2
  /// Windows are recorded at the first beat after the minute, so that two consecutive windows may share one interval: an
  /// interval of a human heart is 2 s at most.
  private static let overlap: Duration = .seconds(2)

  /// The chosen windows, in the order in which they were appended.
  package private(set) var samples: [WindowSample] = []
  private var lastEnd: WallTime?

  package init() {}

  /// The earliest end of the next window that may be chosen; `nil` if there is no limit.
  package var nextEnd: WallTime? {
    lastEnd.map { $0.advanced(by: Self.length.duration - Self.overlap) }
  }

  /// Appends the next window if it is acceptable. The windows of a session must be appended in the order of their end, sessions
  /// in the order of their start; if two sessions overlap, the windows of the later session count from the end of the earlier
  /// one.
  package mutating func append(_ placed: PlacedWindow) {
    guard
      placed.window.length == Self.length, placed.filledShare >= Self.leastCoverage,
      placed.window.artifactShare <= Self.mostArtifacts
    else { return }
    if let nextEnd, placed.end < nextEnd { return }
    lastEnd = placed.end
    samples.append(WindowSample(timestamp: placed.end.date, metrics: placed.window.metrics))
  }
}
