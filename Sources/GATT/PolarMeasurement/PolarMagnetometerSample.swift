/// The magnetic field at one time along the three axes of a strap, in gauss.
package struct PolarMagnetometerSample: Hashable, Sendable {
  /// How well the strap has calibrated its magnetometer.
  package enum Calibration: Int32, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case poor = 1
    case usable = 2
    case good = 3
  }

  package let x: Float
  package let y: Float
  package let z: Float
  /// `nil` if the frame has none, or a number without a meaning.
  package let calibration: Calibration?
}
