/// How it is known that an attribute handle carries Heart Rate Measurements.
package enum HandleSource: String, Hashable, Sendable, CaseIterable, Codable {
  /// The GATT discovery of that connection named it.
  case discovered
  /// An earlier or later connection with the same strap discovered it.
  case inherited
  /// Its notifications were switched on, and every value on it is a well-formed Heart Rate Measurement.
  case inferred
  /// The user named it.
  case given
}
