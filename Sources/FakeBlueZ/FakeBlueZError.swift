/// An error as bluetoothd names and words it (BlueZ 5.66, `src/error.c`, `src/gatt-client.c`, `src/device.c`).
package struct FakeBlueZError: Error, Hashable, Sendable {
  /// The full D-Bus name of the error.
  package var name: String
  package var message: String

  /// Creates an error with a full D-Bus name.
  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// Creates the error `org.bluez.Error.<kind>`.
  package init(_ kind: String, _ message: String) {
    self.init(name: "org.bluez.Error." + kind, message: message)
  }

  // MARK: - Anywhere

  package static let notReady = FakeBlueZError("NotReady", "Resource Not Ready")
  package static let busy = FakeBlueZError("InProgress", "Operation already in progress")
  package static let inProgress = FakeBlueZError("InProgress", "In Progress")
  package static let notSupported = FakeBlueZError("NotSupported", "Operation is not supported")
  package static let notConnected = FakeBlueZError("NotConnected", "Not Connected")
  package static let alreadyExists = FakeBlueZError("AlreadyExists", "Already Exists")
  package static let doesNotExist = FakeBlueZError("DoesNotExist", "Does Not Exist")
  package static let invalidArguments = FakeBlueZError("InvalidArguments", "Invalid arguments in method call")
  package static let invalidOffset = FakeBlueZError("InvalidArguments", "Invalid offset")
  package static let invalidLength = FakeBlueZError("InvalidArguments", "Invalid Length")
  /// Powering on an adapter that rfkill blocks.
  package static let blocked = FakeBlueZError("Blocked", "Blocked through rfkill")

  /// `org.bluez.Error.Failed` with a reason.
  package static func failed(_ message: String) -> FakeBlueZError {
    FakeBlueZError("Failed", message)
  }

  /// `org.bluez.Error.NotPermitted` with a reason.
  package static func notPermitted(_ message: String) -> FakeBlueZError {
    FakeBlueZError("NotPermitted", message)
  }

  /// Returns the D-Bus error for an ATT error code.
  package static func attribute(_ code: UInt8) -> FakeBlueZError {
    switch code {
    case 0x02: .notPermitted("Read not permitted")
    case 0x03: .notPermitted("Write not permitted")
    case 0x05, 0x0C, 0x0F: .notPermitted("Not paired")
    case 0x06: .notSupported
    case 0x07: .invalidOffset
    case 0x08: FakeBlueZError("NotAuthorized", "Operation Not Authorized")
    case 0x0D: .invalidLength
    default: .failed("Operation failed with ATT error: 0x" + (code < 16 ? "0" : "") + String(code, radix: 16))
    }
  }

  // MARK: - Connecting and pairing

  /// An attempt aborted on this side: the commonest transient failure, also the outcome of an attempt that times out.
  package static let connectionAborted = failed("le-connection-abort-by-local")
  package static let connectionCanceled = failed("br-connection-canceled")
  package static let alreadyConnecting = failed("Operation already in progress")
  package static let adapterNotPowered = failed("le-connection-adapter-not-powered")
  package static let connectionAttemptFailed = FakeBlueZError("ConnectionAttemptFailed", "Page Timeout")
  package static let authenticationFailed = FakeBlueZError("AuthenticationFailed", "Authentication Failed")
  package static let authenticationRejected = FakeBlueZError("AuthenticationRejected", "Authentication Rejected")
  package static let authenticationCanceled = FakeBlueZError("AuthenticationCanceled", "Authentication Canceled")
  package static let authenticationTimeout = FakeBlueZError("AuthenticationTimeout", "Authentication Timeout")

  // MARK: - Of the bus

  package static let unknownObject = FakeBlueZError(
    name: "org.freedesktop.DBus.Error.UnknownObject", message: "No such object path")
  package static let unknownMethod = FakeBlueZError(
    name: "org.freedesktop.DBus.Error.UnknownMethod", message: "No such method on that object")
  package static let unknownProperty = FakeBlueZError(
    name: "org.freedesktop.DBus.Error.InvalidArgs", message: "No such property")
  package static let readOnlyProperty = FakeBlueZError(
    name: "org.freedesktop.DBus.Error.PropertyReadOnly", message: "Property is read-only")
}
