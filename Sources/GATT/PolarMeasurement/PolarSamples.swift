/// The samples of a frame, the oldest first.
package enum PolarSamples: Hashable, Sendable {
  case acceleration([PolarAccelerationSample])
  case ecg([PolarECGSample])
  case ppi([PolarPPISample])
  case ppg([PolarPPGSample])
  case gyroscope([PolarGyroscopeSample])
  case magnetometer([PolarMagnetometerSample])

  /// The number of samples, which may be 0.
  package var count: Int {
    switch self {
    case .acceleration(let samples): samples.count
    case .ecg(let samples): samples.count
    case .ppi(let samples): samples.count
    case .ppg(let samples): samples.count
    case .gyroscope(let samples): samples.count
    case .magnetometer(let samples): samples.count
    }
  }
}
