import TachogramCore

/// What a strap of a capture sent beside its heart rate.
package struct ReplayedMeasurement: Hashable, Sendable {
  /// The ordinal of the link (`StrapLink.number`).
  package let link: Int
  package let monotonic: MonotonicTime
  package let wall: WallTime
  package let content: SensorEntry.Content
}
