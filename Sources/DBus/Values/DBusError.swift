/// An error of a D-Bus operation.
package enum DBusError: Error, Hashable, Sendable {
  /// The other side replied with this error. The name and the text are unchanged.
  case remote(name: String, message: String)
  /// No reply was received before the deadline of the caller. A later reply is ignored.
  case timedOut(member: String)
  /// The calling task was cancelled.
  case cancelled
  /// The connection is lost or was closed.
  case disconnected
  /// The connection to the bus could not be opened. `name` is a D-Bus error name.
  case cannotConnect(address: String, name: String, message: String)
  /// A message has an unexpected content. The text describes the expected and the received content.
  case unexpected(String)
  /// The message to send is not valid in D-Bus.
  case invalid(String)
  /// Another connection owns the bus name.
  case nameTaken(String)
  case outOfMemory
}

extension DBusError: CustomStringConvertible {
  /// Whether there is no server at the address of the bus.
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
