/// The status of a management command (BlueZ `doc/mgmt-api.txt`, "Common status codes").
package struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let success = ManagementStatus(rawValue: 0x00)
  package static let unknownCommand = ManagementStatus(rawValue: 0x01)
  package static let busy = ManagementStatus(rawValue: 0x0A)
  package static let notSupported = ManagementStatus(rawValue: 0x0C)
  package static let invalidParameters = ManagementStatus(rawValue: 0x0D)
  package static let notPowered = ManagementStatus(rawValue: 0x0F)
  package static let invalidIndex = ManagementStatus(rawValue: 0x11)
  package static let blockedByRFKill = ManagementStatus(rawValue: 0x12)
  package static let permissionDenied = ManagementStatus(rawValue: 0x14)

  private static let names = [
    "success", "unknown command", "not connected", "failed", "connect failed", "authentication failed", "not paired",
    "no resources", "timeout", "already connected", "busy", "rejected", "not supported", "invalid parameters",
    "disconnected", "not powered", "cancelled", "no such adapter", "blocked by rfkill", "already paired",
    "permission denied",
  ]
}

extension ManagementStatus: CustomStringConvertible {
  package var description: String {
    Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "status \(rawValue)"
  }
}
