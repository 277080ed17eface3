/// What a glance knows about its reading.
package enum GlanceState: String, Hashable, Sendable, CaseIterable, Codable {
  /// There is no reading.
  case noReading
  /// The reading is current.
  case current
  /// The reading is not current; it is shown as such.
  case stale
}
