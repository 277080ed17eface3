/// Whether a strap carried out a request, and if not, why (PMD Specification, "Control Point Error Codes"; Polar BLE SDK,
/// "Device Error Codes"). Values without a name are kept: they are failures too.
package struct PolarControlPointStatus: RawRepresentable, Hashable, Sendable {
  package static let success = Self(rawValue: 0)
  package static let invalidOperation = Self(rawValue: 1)
  package static let invalidMeasurementType = Self(rawValue: 2)
  package static let notSupported = Self(rawValue: 3)
  package static let invalidLength = Self(rawValue: 4)
  package static let invalidParameter = Self(rawValue: 5)
  /// What was to be started runs already, or what was to be stopped does not run.
  package static let alreadyInState = Self(rawValue: 6)
  package static let invalidResolution = Self(rawValue: 7)
  package static let invalidSampleRate = Self(rawValue: 8)
  package static let invalidRange = Self(rawValue: 9)
  /// The ATT_MTU of the connection is too small for frames.
  package static let invalidMTU = Self(rawValue: 10)
  package static let invalidChannelCount = Self(rawValue: 11)
  /// The strap is in a mode that excludes the measurement, such as PPI in SDK mode.
  package static let invalidState = Self(rawValue: 12)
  package static let inCharger = Self(rawValue: 13)
  package static let diskFull = Self(rawValue: 14)

  package let rawValue: UInt8

  /// Creates a status from its number.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }
}

extension PolarControlPointStatus: CustomStringConvertible {
  /// The meaning of the status, or its number.
  package var description: String {
    switch self {
    case .success: "success"
    case .invalidOperation: "invalid operation"
    case .invalidMeasurementType: "invalid measurement type"
    case .notSupported: "not supported"
    case .invalidLength: "invalid length"
    case .invalidParameter: "invalid parameter"
    case .alreadyInState: "already in this state"
    case .invalidResolution: "invalid resolution"
    case .invalidSampleRate: "invalid sample rate"
    case .invalidRange: "invalid range"
    case .invalidMTU: "invalid MTU"
    case .invalidChannelCount: "invalid number of channels"
    case .invalidState: "invalid state"
    case .inCharger: "device in charger"
    case .diskFull: "disk full"
    default: "status \(rawValue)"
    }
  }
}
