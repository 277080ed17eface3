import TachogramCore

/// Chooses the windows that a baseline rests on: 5-minute windows that are covered to 80 % at least, have no more than
/// 20 % artifacts, and do not overlap. Windows are recorded every minute, so that most of what they say is in the four
/// before them as well.
package struct WindowSampling: Sendable {
  /// The length of windows that count.
  package static let length = WindowLength.fiveMinutes
  /// The share of a window that intervals cover at least.
  package static let leastCoverage = 0.8
  /// The share of its beats that are artifacts at most.
  package static let mostArtifacts = 0.2
  /// Windows are recorded at the first beat after the minute, so that two that follow each other may share one: an
  /// interval of a human heart is 2 s at most.
  private static let overlap: Duration = .seconds(2)

  /// What was chosen, in the order in which it came.
  package private(set) var samples: [WindowSample] = []
  private var lastEnd: WallTime?

  package init() {}

  /// The earliest end of a window that may be chosen next; `nil` where that may be any.
  package var nextEnd: WallTime? {
    lastEnd.map { $0.advanced(by: Self.length.duration - Self.overlap) }
  }

  /// Takes the next window into account. The windows of a session come by their end, sessions by their start; where two
  /// sessions overlap, the later one counts from the end of the earlier.
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
