import TachogramTestKit
import Testing

@testable import DBus

/// How a call ends when it is not simply answered.
@Suite(.timeLimit(.minutes(5)))
struct CallEndingTests {
  /// A server whose object tells of every call and answers "Slow" when the gate opens, anything else at once.
  private func start() async throws -> (BusSession, calls: AsyncStream<String>, gate: AsyncStream<Void>.Continuation) {
    let session = try await BusSession.start()
    let (calls, arrived) = AsyncStream<String>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    try session.server.export(BusSession.path) { call in
      arrived.yield(call.member)
      if call.member == "Slow" { for await _ in gate {} }
      return [.string(call.member)]
    }
    return (session, calls, opening)
  }

  @Test func testDeadlinePasses_callEndsAndLateReplyIsIgnored() async throws {
    // Given
    let (session, _, gate) = try await start()
    // When
    await #expect(throws: DBusError.timedOut(member: "Slow")) {
      try await session.client.call(session.call("Slow"), timeout: .milliseconds(30))
    }
    gate.finish()
    // Then
    #expect(try await session.client.call(session.call("Fast")) == [.string("Fast")])
    #expect(try await session.client.call(session.call("Slow")) == [.string("Slow")])
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
  func testDeadlineInThePast_callEnds(timeout: Duration) async throws {
    let (session, _, gate) = try await start()
    await #expect(throws: DBusError.timedOut(member: "Slow")) {
      try await session.client.call(session.call("Slow"), timeout: timeout)
    }
    gate.finish()
  }

  @Test func testDeadlineFarAway_callIsAnswered() async throws {
    let (session, _, _) = try await start()
    let reply = try await session.client.call(session.call("Fast"), timeout: .seconds(Int64.max))
    #expect(reply == [.string("Fast")])
  }

  @Test func testTaskCancelled_callEndsAtOnce() async throws {
    // Given
    let (session, calls, gate) = try await start()
    let call = Task { try await session.client.call(session.call("Slow")) }
    for await _ in calls { break }
    // When
    call.cancel()
    // Then
    await #expect(throws: DBusError.cancelled) { try await call.value }
    gate.finish()
    #expect(try await session.client.call(session.call("Fast")) == [.string("Fast")])
  }

  @Test func testTaskCancelledBefore_nothingIsSent() async throws {
    let (session, calls, _) = try await start()
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.client.call(session.call("Slow"))
    }
    await #expect(throws: DBusError.cancelled) { try await call.value }
    _ = try await session.client.call(session.call("Fast"))
    for await member in calls {
      #expect(member == "Fast")
      break
    }
  }

  @Test func testBusDies_everythingThatWaitsEnds() async throws {
    // Given
    let (session, calls, gate) = try await start()
    defer { gate.finish() }
    let client = session.client
    let signals = try await client.signals(DBusMatchRule(member: "Tick"))
    let owners = try await client.nameOwnerChanges(of: "org.tachogram.Absent")
    let waiting = (0..<20).map { _ in Task { try await client.call(session.call("Slow")) } }
    var arrived = 0
    for await _ in calls {
      arrived += 1
      if arrived == waiting.count { break }
    }
    // When
    session.bus.simulateLoss()
    // Then
    for call in waiting { await #expect(throws: DBusError.disconnected) { try await call.value } }
    for await _ in signals { Issue.record("a signal out of nowhere") }
    var told: [String?] = []
    for await owner in owners { told.append(owner) }
    #expect(told == [nil])
    await client.waitUntilClosed()
    await client.flush()
    await #expect(throws: DBusError.disconnected) { try await client.call(session.call("Fast")) }
    await #expect(throws: DBusError.disconnected) { try await client.signals(DBusMatchRule(member: "Tick")) }
    await #expect(throws: DBusError.disconnected) { try await client.nameOwnerChanges(of: "a.b") }
    #expect(throws: DBusError.disconnected) { try client.emit(path: .root, interface: "a.b", member: "C") }
  }

  @Test func testClosed_callsAndStreamsEnd() async throws {
    // Given
    let (session, calls, gate) = try await start()
    defer { gate.finish() }
    let signals = try await session.client.signals(DBusMatchRule(member: "Tick"))
    let call = Task { try await session.client.call(session.call("Slow")) }
    for await _ in calls { break }
    // When
    session.client.close()
    session.client.close()
    // Then
    await #expect(throws: DBusError.disconnected) { try await call.value }
    for await _ in signals {}
    await session.client.waitUntilClosed()
  }

  @Test func testManyCallsAtOnce_eachGetsItsOwnReply() async throws {
    let session = try await BusSession.start()
    try session.exportEcho()
    try await withThrowingTaskGroup { group in
      for number in UInt32(0)..<2000 {
        group.addTask {
          let reply = try await session.client.call(session.call("Echo", [.uint32(number)]))
          #expect(reply == [.uint32(number)])
        }
      }
      try await group.waitForAll()
    }
  }
}
