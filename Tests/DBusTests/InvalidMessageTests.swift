import Glibc
import Testing

@testable import DBus

/// libdbus ends the process when it gets what D-Bus does not allow, and the bus drops who sends it: neither gets to
/// see it.
@Suite(.timeLimit(.minutes(5)))
struct InvalidMessageTests {
  private static let closed: DBusValue = {
    let descriptor = DBusFileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    if let number = descriptor.release() { close(number) }
    return .fileDescriptor(descriptor)
  }()

  static let values: [DBusValue] = [
    .string("a\0b"), .signature("a"), .signature("\0"), .structure([]), .array(of: .string, [.byte(1)]),
    .array(of: .structure([]), []), .array(of: .byte, [.string("")]), .array(of: .array(.byte), [.strings([])]),
    .dictionary(key: .variant, value: .byte, [:]), .dictionary(key: .string, value: .byte, [.byte(1): .byte(1)]),
    .dictionary(key: .string, value: .byte, [.string("a"): .string("")]), .variant(.structure([])),
    .variant(.array(of: .structure([]), [])), (0..<70).reduce(.byte(1)) { value, _ in .variant(value) },
    (0..<40).reduce(.byte(1)) { value, _ in .structure([value]) }, .structure(Array(repeating: .byte(1), count: 300)),
    .bytes(Array(repeating: 0, count: 33 << 20)), .fileDescriptor(DBusFileDescriptor(owning: -1)), closed,
    .array(of: .fileDescriptor, (0..<17).map { _ in .fileDescriptor(DBusFileDescriptor(owning: -1)) }),
  ]

  @Test func testInvalidValue_isRefusedAndTheConnectionLives() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    for value in Self.values {
      let error = await #expect(throws: DBusError.self) { try await session.client.call(session.call("Echo", [value])) }
      guard case .invalid = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try await session.client.call(session.call("Echo", [.byte(1)])) == [.byte(1)])
  }

  @Test func testInvalidName_isRefusedAndTheConnectionLives() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    var calls: [DBusMethodCall] = []
    for name in ["", "nodot", "a..b", "a.b\0", "é.b", String(repeating: "a.", count: 200) + "b"] {
      var call = session.call("Echo")
      call.destination = name
      calls.append(call)
      call = session.call("Echo")
      call.interface = name
      calls.append(call)
      await #expect(throws: DBusError.invalid("bus name \"\(name)\"")) { try await session.client.requestName(name) }
      await #expect(throws: DBusError.invalid("sender \"\(name)\"")) {
        try await session.client.signals(DBusMatchRule(sender: name))
      }
      await #expect(throws: DBusError.invalid("path \"\(name)\"")) {
        try await session.client.signals(DBusMatchRule(path: name))
      }
    }
    for member in ["", "a.b", "1a", "a\0", "ä"] { calls.append(session.call(member)) }
    var local = session.call("Disconnected")
    local.interface = BusNames.localInterface
    calls.append(local)
    local = session.call("Disconnected")
    local.path = DBusObjectPath(trusted: BusNames.localPath)
    calls.append(local)
    for call in calls {
      let error = await #expect(throws: DBusError.self) { try await session.client.call(call) }
      guard case .invalid = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(throws: DBusError.self) {
        try session.client.emit(
          path: call.path, interface: call.interface, member: call.member, destination: call.destination)
      }
    }
    await #expect(throws: DBusError.invalid("path and path namespace in one match rule")) {
      try await session.client.signals(DBusMatchRule(path: "/", pathNamespace: "/"))
    }
    #expect(try await session.client.call(session.call("Echo", [.byte(1)])) == [.byte(1)])
  }

  @Test func testDepthAtTheLimit_isRefusedOrPasses() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    var passed = 0
    for depth in 55...68 {
      let variants = (0..<depth).reduce(DBusValue.uint16(1)) { value, _ in .variant(value) }
      let mixed = (0..<depth / 2).reduce(DBusValue.uint16(1)) { value, _ in
        .variant(.array(of: value.type, [value]))
      }
      let dictionaries = (0..<depth / 3).reduce(DBusValue.uint16(1)) { value, _ in .properties(["a": value]) }
      for value in [variants, mixed, dictionaries] {
        do throws(DBusError) {
          let reply = try await session.client.call(session.call("Echo", [value]))
          let isEqual = reply == [value]
          #expect(isEqual, "depth \(depth)")
          passed += 1
        } catch {
          guard case .invalid = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
    }
    #expect(passed > 20)
  }

  @Test func testExportedTwice_isRefused() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    #expect(throws: DBusError.invalid("\(BusSession.path) is exported already")) { try session.exportEcho() }
    session.server.unexport(BusSession.path)
    await #expect(throws: DBusError.self) { try await session.client.call(session.call("Echo")) }
    try session.exportEcho()
    #expect(try await session.client.call(session.call("Echo")).isEmpty)
  }

  @Test func testTree_answersForWhatIsBelow() async throws {
    let session = try await BusSession.start()
    try session.server.exportTree(BusSession.path) { call in [.string("tree")] + [.objectPath(call.path)] }
    let inner = try BusSession.path.appending("a")
    try session.server.export(inner) { _ in [.string("object")] }
    var call = session.call("Any")
    #expect(try await session.client.call(call) == [.string("tree"), .objectPath(BusSession.path)])
    call.path = inner
    #expect(try await session.client.call(call) == [.string("object")])
    call.path = try inner.appending("b")
    #expect(try await session.client.call(call) == [.string("tree"), .objectPath(call.path)])
    session.server.unexportTree(BusSession.path)
    await #expect(throws: DBusError.self) { try await session.client.call(call) }
  }
}
