import TachogramTestKit
import Testing

@testable import DBus

@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
  private static let name = "org.tachogram.Emitter"

  /// The rules that the bus has of the connection.
  private func rules(of connection: DBusConnection) async throws -> [String] {
    let call = DBusMethodCall(
      destination: "org.freedesktop.DBus", path: BusNames.path, interface: "org.freedesktop.DBus.Debug.Stats",
      member: "GetAllMatchRules")
    let all = try await connection.call(call).exactly(1)[0].asDictionary()
    return try all[.string(connection.uniqueName)]?.asStrings() ?? []
  }

  /// The numbers of the signals up to the one named "End".
  private func numbers(_ stream: DBusSignalStream) async throws -> [UInt32] {
    var numbers: [UInt32] = []
    for await signal in stream {
      if signal.member == "End" { break }
      numbers.append(try signal.arguments.exactly(1)[0].asUInt32())
    }
    return numbers
  }

  @Test func testTwoStreamsWithTheSameRule_bothGetEverySignalInOrder() async throws {
    // Given
    let session = try await BusSession.start()
    let rule = DBusMatchRule(sender: session.server.uniqueName, interface: BusSession.interface)
    let first = try await session.client.signals(rule)
    let second = try await session.client.signals(rule)
    #expect(try await rules(of: session.client).count == 1)
    // When
    let before = LoopClock.boot()
    for number in UInt32(0)..<10_000 { try session.emit("Tick", [.uint32(number)]) }
    try session.emit("End")
    await session.server.flush()
    // Then
    #expect(try await numbers(first) == Array(0..<10_000))
    var last = before
    var count: UInt32 = 0
    for await signal in second {
      #expect(signal.arrivalNanoseconds >= last && signal.sender == session.server.uniqueName)
      last = signal.arrivalNanoseconds
      if signal.member == "End" { break }
      #expect(signal.arguments == [.uint32(count)] && signal.path == BusSession.path)
      count += 1
    }
    #expect(count == 10_000)
  }

  @Test func testSubscriptionCancelled_nothingMoreComesAndTheMatchIsRemoved() async throws {
    // Given
    let session = try await BusSession.start()
    let (received, continuation) = DBusSignalStream.makeStream()
    let subscription = try await session.client.subscribe(DBusMatchRule(member: "Tick")) { continuation.yield($0) }
    let end = try await session.client.signals(DBusMatchRule(member: "End"))
    try session.emit("Tick", [.uint32(1)])
    for await signal in received {
      #expect(signal.arguments == [.uint32(1)])
      break
    }
    // When
    subscription.cancel()
    subscription.cancel()
    try session.emit("Tick", [.uint32(2)])
    try session.emit("End")
    // Then
    #expect(try await numbers(end).isEmpty)
    continuation.finish()
    for await signal in received { Issue.record("\(signal)") }
    #expect(try await rules(of: session.client) == ["type='signal',member='End'"])
  }

  @Test func testStreamDropped_theMatchIsRemovedWithTheLastOne() async throws {
    // Given
    let session = try await BusSession.start()
    let rule = DBusMatchRule(sender: Self.name, member: "Tick")
    var first: DBusSignalStream? = try await session.client.signals(rule)
    var second: DBusSignalStream? = try await session.client.signals(rule)
    let reader = Task { [stream = try await session.client.signals(rule)] in for await _ in stream {} }
    #expect(try await rules(of: session.client).count == 2)
    // When / Then
    first = nil
    #expect(first == nil)
    #expect(try await rules(of: session.client).count == 2)
    reader.cancel()
    await reader.value
    second = nil
    #expect(second == nil)
    #expect(try await rules(of: session.client).isEmpty)
    second = try await session.client.signals(rule)
    #expect(second != nil)
    #expect(try await rules(of: session.client).count == 2)
  }

  @Test(
    arguments: [
      (DBusMatchRule(interface: "org.tachogram.Test"), [1, 2, 3, 4, 5, 6, 7]),
      (DBusMatchRule(member: "Tick"), [1, 2, 3, 4, 5, 6, 7]),
      (DBusMatchRule(path: "/a"), [1, 4, 5, 6]), (DBusMatchRule(pathNamespace: "/a"), [1, 2, 4, 5, 6]),
      (DBusMatchRule(pathNamespace: "/"), [1, 2, 3, 4, 5, 6, 7]), (DBusMatchRule(path: "/a/b"), [2]),
      (DBusMatchRule(member: "Tick", argument0: "one"), [4]), (DBusMatchRule(argument0: "it's"), [5]),
      (DBusMatchRule(path: "/"), [7]), (DBusMatchRule(interface: "org.tachogram.Other", member: "Tick"), []),
    ] as [(DBusMatchRule, [UInt32])])
  func testRule_selects(rule: DBusMatchRule, expected: [UInt32]) async throws {
    // Given: another rule selects everything, so that the bus sends what this rule does not.
    let session = try await BusSession.start()
    let all = try await session.client.signals(DBusMatchRule(sender: session.server.uniqueName))
    let selected = try await session.client.signals(rule)
    // When
    let sent: [(path: String, arguments: [DBusValue])] = [
      ("/a", []), ("/a/b", []), ("/ab", []), ("/a", [.string("one")]), ("/a", [.string("it's")]), ("/a", [.uint32(4)]),
      ("/", []),
    ]
    for (path, arguments) in sent {
      try session.emit("Tick", arguments, path: try DBusObjectPath(validating: path))
    }
    try session.emit("End")
    // Then
    var everything: [DBusSignal] = []
    for await signal in all {
      if signal.member == "End" { break }
      everything.append(signal)
    }
    #expect(everything.count == sent.count)
    session.client.close()
    var got: [DBusSignal] = []
    for await signal in selected where signal.member == "Tick" { got.append(signal) }
    #expect(got == everything.enumerated().filter { expected.contains(UInt32($0.offset + 1)) }.map(\.element))
  }

  @Test func testSignalOfSomebodyElse_isRefusedForAWellKnownSender() async throws {
    // Given
    let session = try await BusSession.start()
    let impostor = try await DBusConnection.open(.address(session.bus.address))
    let stream = try await session.client.signals(DBusMatchRule(sender: Self.name, interface: BusSession.interface))
    let anybody = try await session.client.signals(DBusMatchRule(member: "End"))
    func spoof(_ number: UInt32, from connection: DBusConnection) async throws {
      try connection.emit(
        path: BusSession.path, interface: BusSession.interface, member: "Tick", arguments: [.uint32(number)],
        destination: session.client.uniqueName)
      // The bus has it when it answers.
      _ = try await connection.owner(of: Self.name)
    }
    // When: nobody has the name, then the server, then the impostor itself.
    try await spoof(1, from: impostor)
    try await session.server.requestName(Self.name)
    try await spoof(2, from: impostor)
    try await spoof(3, from: session.server)
    try await session.server.releaseName(Self.name)
    try await spoof(4, from: session.server)
    try await impostor.requestName(Self.name)
    try await spoof(5, from: session.server)
    try await spoof(6, from: impostor)
    try session.emit("End")
    // Then
    for await _ in anybody { break }
    session.client.close()
    #expect(try await numbers(stream) == [3, 6])
  }

  @Test func testNameOwnerChanges_beginsWithTheOwnerAndFollows() async throws {
    // Given
    let session = try await BusSession.start()
    let absent = try await session.client.nameOwnerChanges(of: Self.name)
    // When
    try await session.server.requestName(Self.name)
    // The client knows when it is answered: the bus keeps the order.
    _ = try await session.client.owner(of: Self.name)
    let present = try await session.client.nameOwnerChanges(of: Self.name)
    try await session.server.releaseName(Self.name)
    try await session.client.requestName(Self.name)
    _ = try await session.client.owner(of: Self.name)
    session.client.close()
    // Then
    let (server, client) = (session.server.uniqueName, session.client.uniqueName)
    var first: [String?] = []
    for await owner in absent { first.append(owner) }
    var second: [String?] = []
    for await owner in present { second.append(owner) }
    #expect(first == [nil, server, nil, client])
    #expect(second == [server, nil, client])
  }

  @Test func testOwnerDies_nameVanishes() async throws {
    let session = try await BusSession.start()
    try await session.server.requestName(Self.name)
    let owners = try await session.client.nameOwnerChanges(of: Self.name)
    session.server.close()
    var told: [String?] = []
    for await owner in owners {
      told.append(owner)
      if told.count == 2 { break }
    }
    #expect(told == [session.server.uniqueName, nil])
  }

  @Test func testNames_areOwnedOnceAndGivenUp() async throws {
    let session = try await BusSession.start()
    #expect(try await session.client.owner(of: Self.name) == nil)
    try await session.server.requestName(Self.name)
    try await session.server.requestName(Self.name)
    #expect(try await session.client.owner(of: Self.name) == session.server.uniqueName)
    await #expect(throws: DBusError.nameTaken(Self.name)) { try await session.client.requestName(Self.name) }
    try await session.client.releaseName(Self.name)
    try await session.server.releaseName(Self.name)
    try await session.client.requestName(Self.name)
    #expect(try await session.server.owner(of: Self.name) == session.client.uniqueName)
  }
}
