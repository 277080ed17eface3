import TachogramTestKit
import Testing

@testable import DBus

/// A signal keeps its message and reads it when asked.
@Suite(.timeLimit(.minutes(5)))
struct SignalReadingTests {
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let interface = "org.bluez.GattCharacteristic1"

  /// What comes of a signal.
  private func received(
    _ arguments: [DBusValue], interface: String = properties, member: String = "PropertiesChanged"
  ) async throws -> DBusSignal {
    let session = try await BusSession.start()
    let stream = try await session.client.signals(DBusMatchRule(sender: session.server.uniqueName))
    try session.server.emit(path: BusSession.path, interface: interface, member: member, arguments: arguments)
    for await signal in stream { return signal }
    throw DBusError.disconnected
  }

  @Test(
    arguments: [
      (["Value": .bytes([1, 2])], .bytes([1, 2])), (["Value": .bytes([])], .bytes([])),
      (["Other": .bytes([1])], nil), ([:], nil), (["Value": .string("a")], .string("a")),
      (["A": .uint32(1), "Value": .strings(["a"]), "Z": .bytes([3])], .strings(["a"])),
      (["Valu": .byte(1), "Values": .byte(2)], nil), (["Value": .variant(.byte(1))], .variant(.byte(1))),
    ] as [([String: DBusValue], DBusValue?)])
  func testChangedProperty_isReadAlone(changed: [String: DBusValue], expected: DBusValue?) async throws {
    let signal = try await received([.string(Self.interface), .properties(changed), .strings(["Gone"])])
    #expect(signal.changedProperty("Value", of: Self.interface) == expected)
    #expect(signal.changedProperty("Value", of: "org.bluez.Device1") == nil)
    #expect(signal.changedProperty("Value\0", of: Self.interface) == nil)
    #expect(signal.changedProperty("Gone", of: Self.interface) == nil)
    #expect(try signal.arguments.exactly(3)[1].asProperties() == changed)
  }

  @Test(
    arguments: [
      (properties, "PropertiesChanged", []), (properties, "PropertiesChanged", [.string(interface)]),
      (properties, "PropertiesChanged", [.string(interface), .properties(["Value": .byte(1)])]),
      (properties, "PropertiesChanged", [.uint32(1), .properties(["Value": .byte(1)]), .strings([])]),
      (properties, "Other", [.string(interface), .properties(["Value": .byte(1)]), .strings([])]),
      (
        "org.tachogram.Test", "PropertiesChanged", [.string(interface), .properties(["Value": .byte(1)]), .strings([])]
      ),
    ] as [(String, String, [DBusValue])])
  func testOtherSignal_hasNoChangedProperty(interface: String, member: String, arguments: [DBusValue]) async throws {
    let signal = try await received(arguments, interface: interface, member: member)
    #expect(signal.changedProperty("Value", of: Self.interface) == nil)
    #expect(signal.interface == interface && signal.member == member && signal.arguments == arguments)
  }

  @Test func testSignal_isReadByManyAtATime() async throws {
    let arguments: [DBusValue] = [.string(Self.interface), .properties(["Value": .bytes([1, 2])]), .strings([])]
    let signal = try await received(arguments)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { _ in
            signal.arguments == arguments && signal.path == BusSession.path
              && signal.changedProperty("Value", of: Self.interface) == .bytes([1, 2])
          }
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  /// libdbus stops reading at 63 MiB of messages that are in use.
  @Test func testStreamWithManyUnreadBytes_repliesStillCome() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    let stream = try await session.client.signals(DBusMatchRule(interface: BusSession.interface))
    let bytes = DBusValue.bytes(Array(repeating: 7, count: 1 << 20))
    for _ in 0..<80 { try session.emit("Tick", [bytes]) }
    await session.server.flush()
    try session.emit("End")
    #expect(try await session.client.call(session.call("Echo", [.byte(1)])) == [.byte(1)])
    var count = 0
    for await signal in stream {
      if signal.member == "End" { break }
      count += 1
    }
    #expect(count == 80)
  }
}
