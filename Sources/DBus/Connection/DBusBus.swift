import Glibc

/// A message bus to connect to.
package enum DBusBus: Hashable, Sendable {
  case system
  case session
  /// A server address, for example `unix:path=/run/bus`. Addresses separated by `;` are tried in order.
  case address(String)

  /// The address of the bus (D-Bus specification, "Well-known Message Bus Instances").
  package var address: String {
    switch self {
    case .system: Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .session:
      Self.environment("DBUS_SESSION_BUS_ADDRESS")
        ?? "unix:path=\(Self.environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())")/bus"
    case .address(let text): text
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
