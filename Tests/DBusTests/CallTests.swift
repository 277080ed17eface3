import Testing

@testable import DBus

@Suite(.timeLimit(.minutes(5)))
struct CallTests {
  static let deep = (0..<30).reduce(DBusValue.string("core")) { value, _ in .variant(value) }

  static let values: [DBusValue] = [
    .byte(0), .byte(255), .bool(true), .bool(false), .int16(.min), .int16(.max), .uint16(.max), .int32(.min),
    .int32(.max), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max), .double(-0.5), .double(.infinity),
    .double(.leastNonzeroMagnitude), .string(""), .string("Ruhepuls ♥ 心拍"), .objectPath(.root),
    .objectPath(BusSession.path), .signature(""), .signature("a{sa{sv}}(iu)"), .bytes([]), .bytes([0, 1, 254, 255]),
    .array(of: .string, []), .strings(["a", "", "c"]), .array(of: .uint16, [.uint16(1), .uint16(2)]),
    .array(of: .array(.byte), [.bytes([1]), .bytes([])]),
    .array(of: .structure([.int32, .string]), [.structure([.int32(1), .string("x")])]),
    .dictionary(key: .string, value: .variant, [:]),
    .dictionary(key: .uint16, value: .variant, [.uint16(0xFFFF): .variant(.bytes([1, 2, 3]))]),
    .properties(["UUID": .string("2a37"), "Value": .bytes([0x16, 72]), "Notifying": .bool(true)]),
    .dictionary(
      key: .objectPath, value: .dictionary(.string, .dictionary(.string, .variant)),
      [
        .objectPath(.root): .dictionary(
          key: .string, value: .dictionary(.string, .variant), [.string("i"): .properties([:])])
      ]),
    .structure([.byte(1), .structure([.double(2), .strings(["z"])]), .variant(.int16(-1))]),
    .variant(.variant(.structure([.bool(true)]))), deep,
  ]

  @Test func testEveryType_comesBackEqual() async throws {
    // Given
    let session = try await BusSession.start()
    try session.exportEcho()
    // When / Then
    for value in Self.values {
      #expect(try await session.client.call(session.call("Echo", [value])) == [value])
    }
    #expect(try await session.client.call(session.call("Echo", Self.values)) == Self.values)
    #expect(try await session.client.call(session.call("Echo")).isEmpty)
  }

  @Test func testUnknownObjectAndRemoteError_areNamed() async throws {
    // Given
    let session = try await BusSession.start()
    try session.server.export(BusSession.path) { call throws(DBusError) in
      switch call.member {
      case "Busy": throw .remote(name: "org.bluez.Error.InProgress", message: "Operation already in progress")
      case "Odd": throw .unexpected("nothing")
      case "BadReply": return [.string("\0")]
      default: throw call.unknownMethod
      }
    }
    // When / Then
    await #expect(
      throws: DBusError.remote(name: "org.bluez.Error.InProgress", message: "Operation already in progress")
    ) {
      try await session.client.call(session.call("Busy"))
    }
    for (member, name) in [
      ("Odd", "Failed"), ("BadReply", "Failed"), ("Other", "UnknownMethod"),
    ] {
      let error = await #expect(throws: DBusError.self) { try await session.client.call(session.call(member)) }
      guard case .remote("org.freedesktop.DBus.Error." + name, _) = error else {
        Issue.record("\(member) gave \(String(describing: error))")
        continue
      }
    }
    var elsewhere = session.call("Busy")
    elsewhere.path = try BusSession.path.appending("Other")
    let error = await #expect(throws: DBusError.self) { try await session.client.call(elsewhere) }
    guard case .remote("org.freedesktop.DBus.Error.UnknownObject", _) = error else {
      Issue.record("gave \(String(describing: error))")
      return
    }
  }
}
