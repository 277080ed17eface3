import GATT
import TachogramCore

/// The samples of a frame as numbers, in the order of their bytes: flags as 0 and 1, contact as 0 not supported, 1 not
/// detected, 2 detected, and a missing calibration as -1.
enum PolarSampleRows {
  static func rows(_ samples: PolarSamples) -> [[Double]] {
    switch samples {
    case .acceleration(let samples): samples.map { [Double($0.x), Double($0.y), Double($0.z)] }
    case .ecg(let samples):
      samples.map { [Double($0.microvolts)] + ($0.tags.map { [Double($0.ecg), Double($0.pace)] } ?? []) }
    case .ppi(let samples):
      samples.map {
        [
          Double($0.heartRate), Double($0.interval), Double($0.errorEstimate), $0.isBlocked ? 1 : 0,
          number(of: $0.contact),
        ]
      }
    case .ppg(let samples): samples.map(row)
    case .gyroscope(let samples): samples.map { [Double($0.x), Double($0.y), Double($0.z)] }
    case .magnetometer(let samples):
      samples.map { [Double($0.x), Double($0.y), Double($0.z), Double($0.calibration?.rawValue ?? -1)] }
    }
  }

  private static func row(_ sample: PolarPPGSample) -> [Double] {
    switch sample {
    case .light(let light, let ambient): light.map { Double($0) } + [Double(ambient)]
    case .operationMode(let mode): [Double(mode)]
    case .lightArray(let light, let status): light.map { Double($0) } + [Double(status)]
    }
  }

  private static func number(of contact: SensorContact) -> Double {
    switch contact {
    case .notSupported: 0
    case .notDetected: 1
    case .detected: 2
    }
  }
}
