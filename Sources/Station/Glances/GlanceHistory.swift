import Glances

/// The last 24 hours of a person.
struct GlanceHistory: Hashable, Sendable {
  /// Means of five minutes.
  var points: [GlancePoint] = []
  /// The last stored values; `nil` if there are none.
  var last: GlanceReading?
}
