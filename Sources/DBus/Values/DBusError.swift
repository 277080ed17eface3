/// Why a D-Bus operation failed.
package enum DBusError: Error, Hashable, Sendable {
  /// The other side answered with this error: name and text are kept as they came.
  case remote(name: String, message: String)
  /// No answer came within the caller's deadline; a later one is ignored.
  case timedOut(member: String)
  /// The calling task was cancelled.
  case cancelled
  /// The connection is gone or was closed.
  case disconnected
  /// No connection to the bus could be made; `name` is a D-Bus error name.
  case cannotConnect(address: String, name: String, message: String)
  /// A message of another shape than expected; says what was expected and what came.
  case unexpected(String)
  /// What was asked to be sent is not valid D-Bus.
  case invalid(String)
  /// Another connection owns the bus name.
  case nameTaken(String)
  case outOfMemory
}

extension DBusError: CustomStringConvertible {
  /// Whether there is nobody at the address of the bus.
  package var isWithoutServer: Bool {
    guard case .cannotConnect(_, let name, _) = self else { return false }
    return name == BusNames.noServer || name == BusNames.fileNotFound
  }

  package var description: String {
    switch self {
    case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
    case .timedOut(let member): "\(member) was not answered in time"
    case .cancelled: "the D-Bus call was cancelled"
    case .disconnected: "the connection to the D-Bus daemon is gone"
    case .cannotConnect(let address, _, let message): "cannot connect to the D-Bus daemon at \(address): \(message)"
    case .unexpected(let text): "unexpected D-Bus message: \(text)"
    case .invalid(let text): "not valid D-Bus: \(text)"
    case .nameTaken(let name): "the bus name \(name) belongs to another program"
    case .outOfMemory: "out of memory in a D-Bus message"
    }
  }
}
