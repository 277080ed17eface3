import CDBus

/// A signal that came. It keeps the message and reads out of it what is asked for: whoever wants one property of the
/// many signals of a daemon does not pay for the rest.
package struct DBusSignal: Sendable {
  private let message: MessageHandle
  /// CLOCK_BOOTTIME in nanoseconds when it was read from the socket.
  package let arrivalNanoseconds: Int64

  /// `nil` when it is not a signal.
  init?(_ message: MessageHandle, arrivalNanoseconds: Int64) {
    guard message.type == DBUS_MESSAGE_TYPE_SIGNAL else { return nil }
    message.prepareForReaders()
    self.message = message
    self.arrivalNanoseconds = arrivalNanoseconds
  }

  /// The number that the sender gave the message; it counts its messages to everybody.
  package var serial: UInt32 { dbus_message_get_serial(message.message) }

  /// Unique name of the sender, or `org.freedesktop.DBus`; set by the bus, so a sender cannot choose it.
  package var sender: String? { message.sender }

  // D-Bus has no signal without these three.
  package var path: DBusObjectPath { message.path ?? .root }
  package var interface: String { message.interface ?? "" }
  package var member: String { message.member ?? "" }

  /// The arguments, read anew each time: keep them. Empty when they cannot be read, as with too many open files.
  package var arguments: [DBusValue] { (try? message.arguments()) ?? [] }

  /// Of a `PropertiesChanged` of `interface` the new value of one property; `nil` for another signal, another
  /// interface, and when the property is not among the changed ones. Reads nothing else.
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
