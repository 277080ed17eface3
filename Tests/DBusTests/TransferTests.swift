import Foundation
import Glibc
import TachogramTestKit
import Testing

@testable import DBus

/// Large values, file descriptors, and another implementation of D-Bus.
@Suite(.timeLimit(.minutes(5)))
struct TransferTests {
  @Test func testLargeArrays_comeBackEqual() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    let values: [DBusValue] = [
      .bytes([1, 2] + Array(repeating: 0xA5, count: 8_000_000)),
      .array(of: .uint32, (0..<50_000).map { .uint32($0) }), .strings((0..<10_000).map { "string \($0)" }),
    ]
    for value in values {
      let isEqual = try await session.client.call(session.call("Echo", [value])) == [value]
      #expect(isEqual, "\(value.type.signature)")
    }
  }

  @Test func testFileDescriptor_isPassedBothWays() async throws {
    // Given
    let session = try await BusSession.start()
    try session.exportEcho()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    // When
    let sent = DBusFileDescriptor(owning: ends[1])
    let reply = try await session.client.call(
      session.call("Echo", [.fileDescriptor(sent), .variant(.fileDescriptor(sent))]))
    close(try #require(sent.release()))
    // Then
    #expect(sent.release() == nil)
    let received = [try reply.exactly(2)[0].asFileDescriptor(), try reply[1].asVariant().asFileDescriptor()]
    for descriptor in received {
      let number = try #require(descriptor.release())
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(write(number, "beat", 4) == 4)
      close(number)
    }
    #expect(try reading.readToEnd() == Data("beatbeat".utf8))
  }

  @Test func testGdbus_callsOurObject() async throws {
    let session = try await BusSession.start()
    let name = "org.tachogram.Exported"
    try await session.server.requestName(name)
    try session.server.export(BusSession.path) { call throws(DBusError) in
      switch (call.interface, call.member) {
      case (BusSession.interface, "Echo"): return call.arguments
      case (BusSession.interface, "Fail"):
        throw .remote(name: "org.bluez.Error.NotReady", message: "Resource Not Ready")
      default: throw call.unknownMethod
      }
    }
    func call(_ member: String, _ arguments: [String]) async throws -> ChildProcess.Ending {
      try await ChildProcess.gdbus(
        "call", on: session.bus,
        [
          "--timeout", "20", "--dest", name, "--object-path", BusSession.path.text, "--method",
          "\(BusSession.interface).\(member)",
        ] + arguments)
    }
    let echo = try await call(
      "Echo", ["{'Value': <@ay [0x16, 0x48]>, 'RSSI': <@n -60>}", "['a', 'b']", "(@q 1, true, @o '/x')", "3.5"])
    #expect(echo.status == 0, "\(echo.errors)")
    #expect(
      [
        "({'Value': <[byte 0x16, 0x48]>, 'RSSI': <int16 -60>}, ['a', 'b'], (uint16 1, true, objectpath '/x'), 3.5)\n",
        "({'RSSI': <int16 -60>, 'Value': <[byte 0x16, 0x48]>}, ['a', 'b'], (uint16 1, true, objectpath '/x'), 3.5)\n",
      ].contains(echo.text), "\(echo.text)")
    let failure = try await call("Fail", [])
    #expect(failure.status != 0)
    #expect(failure.errors.contains("GDBus.Error:org.bluez.Error.NotReady: Resource Not Ready"), "\(failure.errors)")
  }

  @Test func testGdbus_emitsASignalThatWeRead() async throws {
    let session = try await BusSession.start()
    let stream = try await session.client.signals(DBusMatchRule(interface: BusSession.interface, member: "Tick"))
    let run = try await ChildProcess.gdbus(
      "emit", on: session.bus,
      [
        "--object-path", BusSession.path.text, "--signal", "\(BusSession.interface).Tick",
        "{'Value': <@ay [0x16, 0x48]>}", "@as []", "(@x -5, <<'deep'>>)",
      ])
    #expect(run.status == 0, "\(run.errors)")
    for await signal in stream {
      #expect(
        signal.arguments == [
          .properties(["Value": .bytes([0x16, 0x48])]), .strings([]),
          .structure([.int64(-5), .variant(.variant(.string("deep")))]),
        ])
      break
    }
  }
}
