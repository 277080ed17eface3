import TachogramCore

/// The reason why a link ended, as reported by the management interface (BlueZ `doc/mgmt-api.txt`, "Device Disconnected
/// Event").
package enum DisconnectionReason: UInt8, Hashable, Sendable, CaseIterable {
  case unspecified = 0
  /// Nothing was received from the peer for the supervision timeout: it is out of range or out of power.
  case timeout = 1
  /// This host ended it.
  case localHost = 2
  /// The peer ended it.
  case remoteDevice = 3
  case authenticationFailure = 4
  /// This host ended it because it is being suspended.
  case localSuspend = 5

  /// The reason as an HCI error code (Core Specification 5.4, Vol 1, Part F), as stored in the ledger; 0 is unknown. The
  /// interface distinguishes only six reasons, so this is the most frequent code of each.
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
