import GATT
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

extension StrapIdentity {
  /// A describing string of the strap, when it was read and is well-formed. Control characters are left out, since a strap
  /// may send anything and terminals obey.
  func text(_ uuid: UInt16) -> String? {
    guard let bytes = characteristics[uuid], let text = try? DeviceInformationString.decode(bytes[...]).text else {
      return nil
    }
    let printable = TerminalText.withoutControls(text)
    return printable.isEmpty ? nil : printable
  }

  /// What to call the strap: its address, or `unknown`.
  var label: String { address.isKnown ? address.description : "unknown" }
}
