import GATT
import Presentation
import TachogramCore

/// The section `strap` of a report: the information read from the strap.
package struct StrapSection: Encodable {
  package let address: String?
  package var addressType: String?
  package let name: String?
  package let manufacturer: String?
  package let model: String?
  package let firmware: String?
  package let batteryPercent: UInt8?
  let sensorLocation: String?

  package init(_ strap: StrapIdentity) {
    address = strap.address.isKnown ? strap.address.description : nil
    addressType = strap.address.isKnown ? (strap.address.kind == .public ? "public" : "random") : nil
    name = strap.text(GATTUUID.deviceName)
    manufacturer = strap.text(GATTUUID.manufacturerNameString)
    model = strap.text(GATTUUID.modelNumberString)
    firmware = strap.text(GATTUUID.firmwareRevisionString)
    batteryPercent = strap.characteristics[GATTUUID.batteryLevel].flatMap { try? BatteryLevel.decode($0[...]).percent }
    sensorLocation = strap.characteristics[GATTUUID.bodySensorLocation].flatMap {
      try? "\(BodySensorLocation.decode($0[...]))"
    }
  }
}
