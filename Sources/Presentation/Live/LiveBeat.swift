import TachogramCore

/// A beat of the live trace.
package struct LiveBeat: Hashable, Sendable {
  package var rr: RRInterval
  package var marks: BeatMarks = []
  /// Whether beats are missing right before this one, so that no line joins it to its neighbour.
  package var followsGap = false
}
