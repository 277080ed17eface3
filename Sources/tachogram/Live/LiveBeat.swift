import TachogramCore

/// A beat of the live trace.
struct LiveBeat: Hashable, Sendable {
  var rr: RRInterval
  var marks: BeatMarks = []
  /// Whether beats were missed right before it, so that no line joins it to its neighbour.
  var followsGap = false
}
