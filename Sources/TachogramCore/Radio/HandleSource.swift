/// The evidence that an attribute handle carries Heart Rate Measurements.
package enum HandleSource: String, Hashable, Sendable, CaseIterable, Codable {
  /// The GATT discovery of the same connection identified the handle.
  case discovered
  /// An earlier or later connection with the same strap discovered the handle.
  case inherited
  /// Notifications of the handle were enabled, and each of its values is a well-formed Heart Rate Measurement.
  case inferred
  /// The user specified the handle.
  case given
}
