import DBus
import FakeBlueZ
import Glibc
import Testing

/// Values by both paths, and what they do to each other.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZNotifyTests {
  private let characteristic = "GattCharacteristic1"

  /// Connects a strap; the path of its heart-rate characteristic.
  private func heartRate(_ client: BusClient, _ strap: FakeStrap) async throws -> String {
    try await client.characteristic("2a37", of: try await client.connect(strap))
  }

  private func acquire(_ client: BusClient, _ path: String) async throws -> AcquiredSocket {
    let answer = try await client.call(path, characteristic, "AcquireNotify", [.properties([:])]).exactly(2)
    return AcquiredSocket(
      descriptor: try #require(try answer[0].asFileDescriptor().release()), mtu: try answer[1].asUInt16())
  }

  @Test
  func testStartNotify_SignalsEveryValueEvenEqualOnes() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      #expect(await !client.fake.notify(strap, [0, 60]))
      try await client.call(path, characteristic, "StartNotify")
      #expect(try await client.get(path, characteristic, "Notifying") == .bool(true))
      let values = try await client.connection.signals(DBusMatchRule(sender: "org.bluez", path: path))
      for _ in 0..<3 { #expect(await client.fake.notify(strap, [0, 61])) }
      await client.fake.notify(strap, [0, 62])
      var received: [DBusValue] = []
      for await signal in values {
        if let value = try signal.arguments.exactly(3)[1].asProperties()["Value"] { received.append(value) }
        if received.last == .bytes([0, 62]) { break }
      }
      #expect(received == [.bytes([0, 61]), .bytes([0, 61]), .bytes([0, 61]), .bytes([0, 62])])
      try await client.call(path, characteristic, "StopNotify")
      #expect(try await client.get(path, characteristic, "Notifying") == .bool(false))
      #expect(await !client.fake.notify(strap, [0, 63]))
    }
  }

  @Test
  func testAcquireNotify_GivesValuesAndEndOfStreamWhenTheLinkDrops() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      let socket = try await acquire(client, path)
      #expect(socket.mtu == 517)
      #expect(try await client.get(path, characteristic, "NotifyAcquired") == .bool(true))
      #expect(await client.fake.notify(strap, [0, 60]))
      #expect(await client.fake.notify(strap, [0, 60]))
      await client.fake.dropLink(strap)
      #expect(await socket.readToEnd() == [[0, 60], [0, 60]])
      #expect(try await client.get(path, characteristic, "NotifyAcquired") == .bool(false))
    }
  }

  @Test
  func testSocketClosedByClient_EndsTheSubscription() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      let socket = try await acquire(client, path)
      #expect(await client.fake.world.isSubscribed(strap))
      socket.close()
      #expect(await client.fake.waitUntil { !$0.isSubscribed(strap) })
      #expect(try await client.get(path, characteristic, "NotifyAcquired") == .bool(false))
      try await acquire(client, path).close()
    }
  }

  @Test
  func testBothPaths_LockEachOtherOut() async throws {
    try await BusClient.with { client in
      let path = try await heartRate(client, FakeStrap())
      let options: [DBusValue] = [.properties([:])]
      let socket = try await acquire(client, path)
      let taken = "org.bluez.Error.NotPermitted: Notify acquired"
      #expect(try await client.failure(path, characteristic, "StartNotify") == taken)
      #expect(try await client.failure(path, characteristic, "AcquireNotify", options) == taken)
      try await client.call(path, characteristic, "StopNotify")
      #expect(await socket.readToEnd() == [])
      try await client.call(path, characteristic, "StartNotify")
      try await client.call(path, characteristic, "StartNotify")
      #expect(
        try await client.failure(path, characteristic, "AcquireNotify", options)
          == "org.bluez.Error.InProgress: In Progress")
      try await client.call(path, characteristic, "StopNotify")
      #expect(
        try await client.failure(path, characteristic, "StopNotify")
          == "org.bluez.Error.Failed: No notify session started")
    }
  }

  @Test
  func testStartNotify_OutlivesTheLink() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      try await client.call(path, characteristic, "StartNotify")
      await client.fake.dropLink(strap)
      #expect(await !client.fake.notify(strap, [0, 60]))
      try await client.call(client.path(of: strap), "Device1", "Connect")
      await client.fake.subscribed(strap)
      #expect(await client.fake.notify(strap, [0, 61]))
    }
  }

  @Test
  func testSilence_StopsValuesButNotTheLink() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      try await client.call(path, characteristic, "StartNotify")
      await client.fake.goSilent(strap)
      #expect(await !client.fake.notify(strap, [0, 60]))
      #expect(try await client.get(client.path(of: strap), "Device1", "Connected") == .bool(true))
      await client.fake.resume(strap)
      #expect(await client.fake.notify(strap, [0, 60]))
    }
  }

  @Test
  func testLoseFirstPackets_LosesThemOnTheSocketOnly() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      await client.fake.loseFirstPackets(strap, 2)
      let socket = try await acquire(client, path)
      #expect(await client.fake.play(strap, [[1], [2], [3], [4]]) == 2)
      await client.fake.dropLink(strap)
      #expect(await socket.readToEnd() == [[3], [4]])
    }
  }

  @Test
  func testRestart_EndsTheSocket() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      let socket = try await acquire(client, path)
      await client.fake.notify(strap, [7])
      try await client.fake.restartDaemon()
      #expect(await socket.readToEnd() == [[7]])
    }
  }

  @Test
  func testReadAndWrite_AnswerAsTheServiceSays() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let device = try await client.connect(strap)
      let options: DBusValue = .properties([:])
      let location = try await client.characteristic("2a38", of: device)
      #expect(try await client.call(location, characteristic, "ReadValue", [options]) == [.bytes([1])])
      let control = try await client.characteristic("2a39", of: device)
      try await client.call(control, characteristic, "WriteValue", [.bytes([1]), options])
      #expect(
        try await client.failure(control, characteristic, "WriteValue", [.bytes([2]), options])
          == "org.bluez.Error.Failed: Operation failed with ATT error: 0x80")
      #expect(
        try await client.failure(control, characteristic, "ReadValue", [options])
          == "org.bluez.Error.NotPermitted: Read not permitted")
      #expect(await client.fake.world.writes == [[1]])
      await client.fake.dropLink(strap)
      #expect(
        try await client.failure(location, characteristic, "ReadValue", [options])
          == "org.bluez.Error.Failed: Not connected")
      #expect(
        try await client.failure(location, characteristic, "ReadValue")
          == "org.freedesktop.DBus.Error.UnknownMethod: No such method on that object")
    }
  }

  @Test(
    arguments: [
      ("2a39", "request", [1], nil as String?),
      ("2a39", "request", [2], "org.bluez.Error.Failed: Operation failed with ATT error: 0x80"),
      ("2a39", "request", [1, 1], "org.bluez.Error.InvalidArguments: Invalid Length"),
      // Whatever the strap makes of it.
      ("2a39", "command", [2], nil),
      ("2a38", "request", [1], "org.bluez.Error.NotPermitted: Write not permitted"),
      ("2a38", "command", [1], nil),
      ("2a38", nil, [1], "org.bluez.Error.NotSupported: Operation is not supported"),
      ("2a39", "fax", [1], "org.bluez.Error.NotSupported: Operation is not supported"),
    ] as [(String, String?, [UInt8], String?)])
  func testWriteValue_GoesAsTheClientSays(
    uuid: String, way: String?, value: [UInt8], failure: String?
  ) async throws {
    try await BusClient.with { client in
      let path = try await client.characteristic(uuid, of: try await client.connect(FakeStrap()))
      let options: DBusValue = .properties(way.map { ["type": .string($0)] } ?? [:])
      #expect(try await client.failure(path, characteristic, "WriteValue", [.bytes(value), options]) == failure)
      let isTaken = uuid == "2a39" && value == [1] && failure == nil
      #expect(await client.fake.world.writes == (isTaken ? [value] : []))
    }
  }

  @Test
  func testAcquireWrite_IsNotSupported() async throws {
    try await BusClient.with { client in
      let path = try await client.characteristic("2a39", of: try await client.connect(FakeStrap()))
      #expect(
        try await client.failure(path, characteristic, "AcquireWrite", [.properties([:])])
          == "org.bluez.Error.NotSupported: Operation is not supported")
    }
  }

  @Test
  func testSetBattery_ChangesThePercentage() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let device = try await client.connect(strap)
      await client.fake.setBattery(strap, 41)
      #expect(try await client.get(device, "Battery1", "Percentage") == .byte(41))
    }
  }

  @Test
  func testFlood_LosesNothingOnTheSocket() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let socket = try await acquire(client, try await heartRate(client, strap))
      async let received = socket.readToEnd()
      #expect(await client.fake.play(strap, Counting(count: 100_000)) == 100_000)
      await client.fake.dropLink(strap)
      #expect(await received.elementsEqual(Counting(count: 100_000)))
    }
  }

  @Test
  func testFlood_LosesNothingInSignals() async throws {
    let count: UInt32 = 20_000
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      try await client.call(path, characteristic, "StartNotify")
      let signals = try await client.connection.signals(DBusMatchRule(sender: "org.bluez", path: path))
      async let played = client.fake.play(strap, Counting(count: count))
      let expected = Counting(count: count).makeIterator()
      var next = expected.next()
      for await signal in signals {
        guard case .bytes(let value)? = try signal.arguments.exactly(3)[1].asProperties()["Value"] else { continue }
        guard value == next else {
          Issue.record("\(value) came, \(String(describing: next)) was sent")
          break
        }
        next = expected.next()
        if next == nil { break }
      }
      #expect(await played == Int(count))
    }
  }

  @Test
  func testManyLinks_LeakNoDescriptors() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await heartRate(client, strap)
      for _ in 0..<300 {
        let socket = try await acquire(client, path)
        await client.fake.notify(strap, [0, 60])
        await client.fake.dropLink(strap)
        #expect(await socket.readToEnd() == [[0, 60]])
        try await client.call(client.path(of: strap), "Device1", "Connect")
      }
      // Those of tests that run beside this one, and what is about to be closed.
      #expect(try DescriptorCount.packetSockets() < 150)
    }
  }
}
