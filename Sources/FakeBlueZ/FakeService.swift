import GATT

/// A GATT service of a fake strap, with its attribute handles.
package struct FakeService: Hashable, Sendable {
  /// A characteristic.
  package struct Characteristic: Hashable, Sendable {
    package var uuid: FakeUUID
    /// The flags as BlueZ spells them: `read`, `write`, `write-without-response`, `notify`, `indicate`.
    package var flags: [String]
    /// The value returned by a read.
    package var value: [UInt8] = []
    /// 16-bit UUIDs of its descriptors.
    package var descriptors: [UInt16] = []
    /// The handle of the declaration, which BlueZ puts into the object path. The value has the next handle.
    package fileprivate(set) var handle: UInt16 = 0

    package init(uuid: FakeUUID, flags: [String], value: [UInt8] = [], descriptors: [UInt16] = []) {
      self.uuid = uuid
      self.flags = flags
      self.value = value
      self.descriptors = descriptors
    }

    /// The handle of the descriptor at an index.
    package func descriptorHandle(_ index: Int) -> UInt16 {
      handle &+ 2 &+ UInt16(truncatingIfNeeded: index)
    }
  }

  package var uuid: FakeUUID
  package var characteristics: [Characteristic]
  /// Handle of the service declaration.
  package private(set) var handle: UInt16 = 0

  package init(uuid: FakeUUID, characteristics: [Characteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }

  /// Returns the services with handles assigned in order, from 1 on.
  package static func numbered(_ services: [FakeService]) -> [FakeService] {
    var next: UInt16 = 1
    return services.map { service in
      var service = service
      service.handle = next
      next &+= 1
      for index in service.characteristics.indices {
        service.characteristics[index].handle = next
        next &+= 2 &+ UInt16(truncatingIfNeeded: service.characteristics[index].descriptors.count)
      }
      return service
    }
  }

  // MARK: - The services of a strap

  /// Generic Attribute: Service Changed only.
  package static var genericAttribute: FakeService {
    FakeService(
      uuid: FakeUUID(0x1801),
      characteristics: [
        Characteristic(
          uuid: FakeUUID(0x2A05), flags: ["indicate"], descriptors: [GATTUUID.clientCharacteristicConfiguration])
      ])
  }

  /// Device Information: manufacturer, model and firmware.
  package static func deviceInformation(manufacturer: String, model: String, firmware: String) -> FakeService {
    FakeService(
      uuid: FakeUUID(GATTUUID.deviceInformationService),
      characteristics: [
        Characteristic(
          uuid: FakeUUID(GATTUUID.manufacturerNameString), flags: ["read"], value: Array(manufacturer.utf8)),
        Characteristic(uuid: FakeUUID(GATTUUID.modelNumberString), flags: ["read"], value: Array(model.utf8)),
        Characteristic(uuid: FakeUUID(GATTUUID.firmwareRevisionString), flags: ["read"], value: Array(firmware.utf8)),
      ])
  }

  /// Heart Rate: measurement, body sensor location (Assigned Numbers code) and control point.
  package static func heartRate(location: UInt8) -> FakeService {
    FakeService(
      uuid: FakeUUID(GATTUUID.heartRateService),
      characteristics: [
        Characteristic(
          uuid: FakeUUID(GATTUUID.heartRateMeasurement), flags: ["notify"],
          descriptors: [GATTUUID.clientCharacteristicConfiguration]),
        Characteristic(uuid: FakeUUID(GATTUUID.bodySensorLocation), flags: ["read"], value: [location]),
        Characteristic(uuid: FakeUUID(GATTUUID.heartRateControlPoint), flags: ["write"]),
      ])
  }

  /// Battery: the level in percent.
  package static func battery(_ percent: UInt8) -> FakeService {
    FakeService(
      uuid: FakeUUID(GATTUUID.batteryService),
      characteristics: [
        Characteristic(
          uuid: FakeUUID(GATTUUID.batteryLevel), flags: ["read", "notify"], value: [percent],
          descriptors: [GATTUUID.clientCharacteristicConfiguration])
      ])
  }

  /// Polar Measurement Data: the control point and the data.
  package static var measurements: FakeService {
    FakeService(
      uuid: FakeUUID(PolarMeasurementUUID.service),
      characteristics: [
        Characteristic(
          uuid: .measurementControlPoint, flags: ["read", "write", "indicate"],
          descriptors: [GATTUUID.clientCharacteristicConfiguration]),
        Characteristic(
          uuid: .measurementData, flags: ["notify"], descriptors: [GATTUUID.clientCharacteristicConfiguration]),
      ])
  }
}
