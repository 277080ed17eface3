import BlueZ
import DBus

/// A message as received from a socket. Its values have the types in its signature, and can be written and read again; the fast
/// access to one property has the same result as reading all; the tree of the daemon's objects accepts it.
enum DBusMessageFuzz {
  /// Returns `false` if libdbus refuses the message, as it would on a connection.
  static func run(_ bytes: [UInt8]) throws -> Bool {
    guard let message = DBusWireMessage(bytes) else { return false }
    // A message that refers to file descriptors which were not received has no readable arguments.
    guard let arguments = try? message.arguments() else { return true }
    let signature = arguments.map(\.type.signature).joined()
    try FuzzFinding.unless(
      signature == message.signature, "values of \"\(signature)\" in a message of \"\(message.signature)\"")
    try writeAgain(arguments)
    if let signal = message.signal { try read(signal, arguments) }
    return true
  }

  private static func writeAgain(_ arguments: [DBusValue]) throws {
    let path = try DBusObjectPath(validating: "/fuzz")
    // A message that exceeds the limits of this package is refused.
    guard
      let message = try? DBusWireMessage(signal: "Fuzz", of: "org.tachogram.Fuzz", path: path, arguments: arguments)
    else { return }
    guard let again = DBusWireMessage(try message.bytes()) else {
      throw FuzzFinding(description: "\(arguments) was written as something that libdbus refuses")
    }
    let copy = try again.arguments()
    try FuzzFinding.unless(copy == arguments || arguments.contains(where: hasNaN), "\(arguments) became \(copy)")
  }

  /// Whether a value contains a NaN, and so is not equal to itself.
  private static func hasNaN(_ value: DBusValue) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .array(_, let elements), .structure(let elements): elements.contains(where: hasNaN)
    case .dictionary(_, _, let entries): entries.contains { hasNaN($0.key) || hasNaN($0.value) }
    case .variant(let content): hasNaN(content)
    default: false
    }
  }

  private static func read(_ signal: DBusSignal, _ arguments: [DBusValue]) throws {
    try FuzzFinding.unless(!signal.interface.isEmpty && !signal.member.isEmpty, "a signal without a name")
    if arguments.map(\.type.signature) == ["s", "a{sv}", "as"], signal.member == BlueZName.Member.propertiesChanged,
      signal.interface == BlueZName.Interface.properties
    {
      let interface = try arguments[0].asString()
      for (name, value) in try arguments[1].asProperties() where !hasNaN(value) {
        let found = signal.changedProperty(name, of: interface)
        try FuzzFinding.unless(found == value, "\(name): alone \(found as Any), with all others \(value)")
      }
    }
    var tree = BlueZObjectTree()
    for _ in 0..<2 { _ = try? tree.apply(signal) }
    for adapter in tree.adapters { _ = tree.devices(of: adapter.path) }
    for device in tree.devices() {
      for characteristic in tree.characteristics(of: device.path) { _ = tree.isNotifying(characteristic.path) }
    }
  }
}
