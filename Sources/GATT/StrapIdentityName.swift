import TachogramCore

extension StrapIdentity {
  /// The name that the strap gives itself, as it came; `nil` where it was not read or is not well-formed.
  package var ownName: String? {
    characteristics[Self.deviceName].flatMap { try? DeviceInformationString.decode($0[...]).text }
  }
}
