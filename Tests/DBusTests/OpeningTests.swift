import Foundation
import Glibc
import TachogramTestKit
import Testing

@testable import DBus

@Suite(.timeLimit(.minutes(5)))
struct OpeningTests {
  @Test(arguments: [
    "", "nonsense", "unix:", "unix:path=", "unix:path=/nowhere/at/all", ":::", "unix:path=/a\0b",
    "tcp:host=127.0.0.1,port=1",
    "unix:path=/nowhere;unix:path=/elsewhere", "unix:path=%zz", "unix:abstract=tachogram-nobody-listens",
  ])
  func testDeadAddress_fails(address: String) async {
    let error = await #expect(throws: DBusError.self) { try await DBusConnection.open(.address(address)) }
    guard case .cannotConnect(address, let name, let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name.hasPrefix("org.freedesktop.DBus.Error.") && !message.isEmpty)
  }

  @Test(arguments: [0, 5]) func testSocketThatNeverAnswers_failsAtTheDeadline(backlog: Int32) async throws {
    // Given: with a full backlog, connecting blocks already.
    let path = "/tmp/tachogram-silent-\(UUID().uuidString)"
    let listener = try Self.listen(at: path, backlog: backlog)
    defer {
      close(listener)
      unlink(path)
    }
    for _ in 0..<3 {
      // When
      let begin = ContinuousClock.now
      let error = await #expect(throws: DBusError.self) {
        try await DBusConnection.open(.address("unix:path=\(path)"), timeout: .milliseconds(50))
      }
      // Then
      guard case .cannotConnect(_, "org.freedesktop.DBus.Error.NoReply", _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(begin.duration(to: .now) >= .milliseconds(50))
    }
  }

  @Test func testTaskCancelled_openingEnds() async throws {
    let path = "/tmp/tachogram-silent-\(UUID().uuidString)"
    let listener = try Self.listen(at: path, backlog: 5)
    defer {
      close(listener)
      unlink(path)
    }
    let opening = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await DBusConnection.open(.address("unix:path=\(path)"))
    }
    await #expect(throws: DBusError.cancelled) { try await opening.value }
  }

  @Test func testListenerThatHangsUp_fails() async throws {
    // Given
    let path = "/tmp/tachogram-silent-\(UUID().uuidString)"
    let listener = try Self.listen(at: path, backlog: 5)
    defer { unlink(path) }
    let closing = Thread {
      close(accept(listener, nil, nil))
      close(listener)
    }
    closing.start()
    // When
    let error = await #expect(throws: DBusError.self) { try await DBusConnection.open(.address("unix:path=\(path)")) }
    // Then
    guard case .cannotConnect(_, "org.freedesktop.DBus.Error.Disconnected", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func testConnectionDropped_closes() async throws {
    let session = try await BusSession.start()
    var extra: DBusConnection? = try await DBusConnection.open(.address(session.bus.address))
    let name = try #require(extra?.uniqueName)
    let owners = try await session.client.nameOwnerChanges(of: name)
    extra = nil
    #expect(extra == nil)
    var told: [String?] = []
    for await owner in owners {
      told.append(owner)
      if told.count == 2 { break }
    }
    #expect(told == [name, nil])
  }

  private static func listen(at path: String, backlog: Int32) throws -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try #require(listener >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && Glibc.listen(listener, backlog) == 0)
    return listener
  }
}
