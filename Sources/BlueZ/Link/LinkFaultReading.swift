import DBus

/// Classifies a fault by the name and the message of the daemon's error (BlueZ src/error.c; the messages are those of the
/// connection errors of the kernel and the daemon, src/error.h).
extension LinkFault {
  package init(_ error: DBusError) {
    switch error {
    case .remote(let name, let message): self = Self.remote(name, message.lowercased())
    case .timedOut: self = .timedOut
    case .cancelled: self = .transient
    case .disconnected, .cannotConnect: self = .vanished
    case .unexpected, .invalid, .nameTaken, .outOfMemory: self = .refused
    }
  }

  private static func remote(_ name: String, _ message: String) -> LinkFault {
    switch name {
    case BlueZName.Error.inProgress, BlueZName.Error.notReady, BlueZName.Error.canceled: .transient
    case BlueZName.Error.notConnected: .linkLost
    case BlueZName.Error.noReply: .timedOut
    case BlueZName.Error.doesNotExist, BlueZName.Error.unknownObject, BlueZName.Error.unknownMethod,
      BlueZName.Error.serviceUnknown, BlueZName.Error.nameHasNoOwner:
      .vanished
    case BlueZName.Error.authenticationFailed, BlueZName.Error.authenticationCanceled,
      BlueZName.Error.authenticationRejected, BlueZName.Error.authenticationTimeout, BlueZName.Error.notAuthorized:
      .notAuthorised
    case BlueZName.Error.notPermitted where message.contains("paired"): .notAuthorised
    case BlueZName.Error.notPermitted, BlueZName.Error.notSupported: .wayRefused
    case BlueZName.Error.connectionAttemptFailed: .timedOut
    case BlueZName.Error.failed: words(message)
    default: .refused
    }
  }

  private static func words(_ message: String) -> LinkFault {
    let classes: [(LinkFault, [String])] = [
      (.noSlot, ["le-connection-limit", "connection-limit", "too many links", "limit exceeded"]),
      (
        .transient,
        ["abort-by-local", "aborted", "connection abort", "operation already in progress", "busy", "canceled"]
      ),
      (
        .notAuthorised,
        ["key-missing", "authentication", "encryption", "insufficient", "att error: 0x05", "att error: 0x0f"]
      ),
      (
        .linkLost,
        ["not connected", "disconnected", "connection reset", "terminated-by", "by-remote", "att error: 0x0e"]
      ),
      (.timedOut, ["timeout", "timed out", "host is down", "page-timeout"]),
    ]
    return classes.first { $0.1.contains { message.contains($0) } }?.0 ?? .refused
  }
}
