import TachogramCore

extension StrapIdentity {
  /// The device name of the strap, unchanged; `nil` if it was not read or is not well-formed.
  package var ownName: String? {
    characteristics[Self.deviceName].flatMap { try? DeviceInformationString.decode($0[...]).text }
  }
}
