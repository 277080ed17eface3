/// What a request to the control point asks for: its first byte. Values without a name are kept, so that a strap can refuse
/// them.
package struct PolarControlPointOperation: RawRepresentable, Hashable, Sendable {
  /// Asks for the settings that a measurement can have.
  package static let getSettings = Self(rawValue: 1)
  /// Starts a measurement.
  package static let start = Self(rawValue: 2)
  /// Stops a measurement.
  package static let stop = Self(rawValue: 3)

  package let rawValue: UInt8

  /// Creates an operation from its number.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }
}
