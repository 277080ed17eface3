/// The 16-bit UUIDs of the attributes that concern a heart-rate strap (Bluetooth Assigned Numbers, 3.4 … 3.8).
package enum GATTUUID {
  // MARK: - Services

  package static let genericAccessService: UInt16 = 0x1800
  package static let deviceInformationService: UInt16 = 0x180A
  package static let heartRateService: UInt16 = 0x180D
  package static let batteryService: UInt16 = 0x180F

  // MARK: - Declarations

  package static let primaryService: UInt16 = 0x2800
  package static let secondaryService: UInt16 = 0x2801
  package static let include: UInt16 = 0x2802
  package static let characteristic: UInt16 = 0x2803

  // MARK: - Descriptors

  package static let characteristicUserDescription: UInt16 = 0x2901
  package static let clientCharacteristicConfiguration: UInt16 = 0x2902

  // MARK: - Characteristics

  package static let deviceName: UInt16 = 0x2A00
  package static let appearance: UInt16 = 0x2A01
  package static let serviceChanged: UInt16 = 0x2A05
  package static let batteryLevel: UInt16 = 0x2A19
  package static let modelNumberString: UInt16 = 0x2A24
  package static let serialNumberString: UInt16 = 0x2A25
  package static let firmwareRevisionString: UInt16 = 0x2A26
  package static let hardwareRevisionString: UInt16 = 0x2A27
  package static let softwareRevisionString: UInt16 = 0x2A28
  package static let manufacturerNameString: UInt16 = 0x2A29
  package static let heartRateMeasurement: UInt16 = 0x2A37
  package static let bodySensorLocation: UInt16 = 0x2A38
  package static let heartRateControlPoint: UInt16 = 0x2A39

  /// The characteristics that describe a strap (`StrapIdentity.characteristics`).
  package static let describing: Set<UInt16> = [
    deviceName, batteryLevel, bodySensorLocation, modelNumberString, serialNumberString, firmwareRevisionString,
    hardwareRevisionString, softwareRevisionString, manufacturerNameString,
  ]
}
