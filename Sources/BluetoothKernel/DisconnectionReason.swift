import TachogramCore

/// Why a link ended, as far as the management interface says (BlueZ `doc/mgmt-api.txt`, "Device Disconnected Event").
package enum DisconnectionReason: UInt8, Hashable, Sendable, CaseIterable {
  case unspecified = 0
  /// The peer was not heard for the supervision timeout: out of range, out of power.
  case timeout = 1
  /// This host ended it.
  case localHost = 2
  /// The peer ended it.
  case remoteDevice = 3
  case authenticationFailure = 4
  /// This host ended it because it goes to sleep.
  case localSuspend = 5

  /// The reason as an HCI error code (Core Specification 5.4, Vol 1, Part F), in which the ledger keeps it; 0 is
  /// unknown. The interface distinguishes six reasons, so this is the one that each stands for most often.
  package var hciCode: UInt8 {
    switch self {
    case .unspecified: 0x00
    case .timeout: 0x08
    case .localHost, .localSuspend: DisconnectionCode.localHost
    case .remoteDevice: 0x13
    case .authenticationFailure: 0x05
    }
  }
}
