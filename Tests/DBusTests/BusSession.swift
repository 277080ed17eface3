import TachogramTestKit

@testable import DBus

/// A private bus with two connections to it.
struct BusSession {
  let bus: PrivateBus
  let client: DBusConnection
  let server: DBusConnection

  static func start() async throws -> BusSession {
    let bus = try await PrivateBus.start()
    return BusSession(
      bus: bus, client: try await DBusConnection.open(.address(bus.address)),
      server: try await DBusConnection.open(.address(bus.address)))
  }

  static let path = DBusObjectPath(trusted: "/org/tachogram/Test")
  static let interface = "org.tachogram.Test"

  /// A call of the server's object.
  func call(_ member: String, _ arguments: [DBusValue] = []) -> DBusMethodCall {
    DBusMethodCall(
      destination: server.uniqueName, path: Self.path, interface: Self.interface, member: member, arguments: arguments)
  }

  /// The server answers every call with its arguments.
  func exportEcho() throws {
    try server.export(Self.path) { call in call.arguments }
  }

  func emit(_ member: String, _ arguments: [DBusValue] = [], path: DBusObjectPath = Self.path) throws {
    try server.emit(path: path, interface: Self.interface, member: member, arguments: arguments)
  }
}
