import DBus

/// A notification on the desktop of whoever the station runs for (Desktop Notifications Specification).
struct DesktopNotification {
  private static let path = "/org/freedesktop/Notifications"
  /// The urgency `normal`: a heart-rate strap is not an emergency service.
  private static let urgency: UInt8 = 1
  /// The duration, left to the desktop.
  private static let expiry: Int32 = -1

  var bus = DBusBus.session

  /// Shows a text. Throws an error if it cannot be shown.
  func show(_ text: String) async throws(DBusError) {
    let connection = try await DBusConnection.open(bus)
    defer { connection.close() }
    _ = try await connection.call(
      try DBusMethodCall(
        destination: "org.freedesktop.Notifications", path: DBusObjectPath(validating: Self.path),
        interface: "org.freedesktop.Notifications", member: "Notify",
        arguments: [
          // As the summary, which is plain text; a body may be markup, and straps choose their names.
          .string("Tachogram"), .uint32(0), .string(""), .string(text), .string(""), .strings([]),
          .properties(["urgency": .byte(Self.urgency)]), .int32(Self.expiry),
        ], startsService: true))
  }
}
