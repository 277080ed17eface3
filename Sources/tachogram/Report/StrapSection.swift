import GATT
import Presentation
import TachogramCore

/// The section `strap` of a report: what the strap said of itself.
struct StrapSection: Encodable {
  let address: String?
  var addressType: String?
  let name: String?
  let manufacturer: String?
  let model: String?
  let firmware: String?
  let batteryPercent: UInt8?
  let sensorLocation: String?

  init(_ strap: StrapIdentity) {
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
