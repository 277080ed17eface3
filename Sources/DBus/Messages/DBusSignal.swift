import CDBus

/// A received signal. It retains the message and reads values on demand, so that reading one property of frequent signals does
/// not incur the cost of reading the others.
package struct DBusSignal: Sendable {
  private let message: MessageHandle
  /// The time in nanoseconds of CLOCK_BOOTTIME at which the signal was read from the socket.
  package let arrivalNanoseconds: Int64

  /// Creates a signal, or returns `nil` if the message is not a signal.
  init?(_ message: MessageHandle, arrivalNanoseconds: Int64) {
    guard message.type == DBUS_MESSAGE_TYPE_SIGNAL else { return nil }
    message.prepareForReaders()
    self.message = message
    self.arrivalNanoseconds = arrivalNanoseconds
  }

  /// The serial number assigned by the sender, which counts its messages to all destinations.
  package var serial: UInt32 { dbus_message_get_serial(message.message) }

  /// The unique name of the sender, or `org.freedesktop.DBus`. Set by the bus, so that a sender cannot choose it.
  package var sender: String? { message.sender }

  // Every D-Bus signal has these three.
  package var path: DBusObjectPath { message.path ?? .root }
  package var interface: String { message.interface ?? "" }
  package var member: String { message.member ?? "" }

  /// The arguments, which are read again on each access. Empty if they cannot be read, for example because of too many open
  /// files.
  package var arguments: [DBusValue] { (try? message.arguments()) ?? [] }

  /// Returns the new value of a property in a `PropertiesChanged` signal of `interface`, or `nil` for another signal, another
  /// interface or an unchanged property. Reads no other value.
  package func changedProperty(_ property: String, of interface: String) -> DBusValue? {
    guard
      dbus_message_is_signal(message.message, "org.freedesktop.DBus.Properties", "PropertiesChanged") != 0,
      dbus_message_has_signature(message.message, "sa{sv}as") != 0
    else { return nil }
    return try? MessageReader.property(property, of: interface, in: message.message)
  }
}

extension DBusSignal: Hashable {
  package static func == (left: DBusSignal, right: DBusSignal) -> Bool {
    if left.message === right.message { return true }
    return left.arrivalNanoseconds == right.arrivalNanoseconds && left.sender == right.sender
      && left.path == right.path && left.interface == right.interface && left.member == right.member
      && left.arguments == right.arguments
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(arrivalNanoseconds)
    hasher.combine(path)
    hasher.combine(member)
  }
}
