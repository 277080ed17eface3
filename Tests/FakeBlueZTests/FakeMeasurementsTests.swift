import DBus
import FakeBlueZ
import GATT
import TachogramTestKit
import Testing

/// The measurement service of a strap, as a program sees it through the daemon.
@Suite(.timeLimit(.minutes(5)))
struct FakeMeasurementsTests {
  private static let characteristic = "GattCharacteristic1"
  private static let start: [UInt8] = [2, 2, 0, 1, 25, 0, 1, 1, 16, 0, 2, 1, 2, 0]

  private static func strap(mtu: UInt16 = 517) -> FakeStrap {
    var strap = FakeStrap()
    strap.mtu = mtu
    strap.add(.chestStrap)
    return strap
  }

  private func write(_ client: BusClient, _ path: String, _ value: [UInt8]) async throws {
    try await client.call(path, Self.characteristic, "WriteValue", [.bytes(value), .properties([:])])
  }

  /// Connects a strap. Returns the paths of its control point and its data.
  private func connect(_ client: BusClient, _ strap: FakeStrap) async throws -> (control: String, data: String) {
    let device = try await client.connect(strap)
    return (
      try await client.characteristic(uuid: PolarMeasurementUUID.controlPoint, of: device),
      try await client.characteristic(uuid: PolarMeasurementUUID.data, of: device)
    )
  }

  @Test
  func testControlPoint_ReadsAsFeatures() async throws {
    try await BusClient.with { client in
      let (control, _) = try await connect(client, Self.strap())
      let answer = try await client.call(control, Self.characteristic, "ReadValue", [.properties([:])])
      #expect(answer == [.bytes([0x0F, 0x05] + [UInt8](repeating: 0, count: 15))])
    }
  }

  @Test
  func testRequestWithoutIndications_IsAnError() async throws {
    try await BusClient.with { client in
      let (control, _) = try await connect(client, Self.strap())
      #expect(
        try await client.failure(
          control, Self.characteristic, "WriteValue", [.bytes(Self.start), .properties([:])])
          == "org.bluez.Error.Failed: Operation failed with ATT error: 0xfd")
      #expect(await client.fake.world.writes.isEmpty)
    }
  }

  @Test
  func testRequests_AreAnsweredByIndications() async throws {
    try await BusClient.with { client in
      let strap = Self.strap()
      let (control, _) = try await connect(client, strap)
      try await client.call(control, Self.characteristic, "StartNotify")
      let signals = try await client.connection.signals(DBusMatchRule(sender: "org.bluez", path: control))
      for request in [[1, 2], Self.start, Self.start, [3, 2], [3, 2], [1, 3], [9, 2]] {
        try await write(client, control, request)
      }
      let expected: [[UInt8]] = [
        [0xF0, 1, 2, 0, 0, 0, 4, 25, 0, 50, 0, 100, 0, 200, 0, 1, 1, 16, 0, 2, 3, 2, 0, 4, 0, 8, 0],
        [0xF0, 2, 2, 0, 0, 5, 1, 0, 0, 0x80, 0x3F], [0xF0, 2, 2, 6, 0], [0xF0, 3, 2, 0, 0], [0xF0, 3, 2, 6, 0],
        [0xF0, 1, 3, 3, 0], [0xF0, 9, 2, 1, 0],
      ]
      var indications: [[UInt8]] = []
      for await signal in signals {
        guard case .bytes(let value)? = try signal.arguments.exactly(3)[1].asProperties()["Value"] else { continue }
        indications.append(value)
        if indications.count == expected.count { break }
      }
      #expect(indications == expected)
    }
  }

  @Test(
    arguments: [
      (UInt16(23), nil, Self.start, PolarControlPointStatus.invalidMTU), (231, nil, Self.start, .invalidMTU),
      (232, nil, Self.start, .success), (517, .inCharger, Self.start, .inCharger),
      (517, nil, [2, 2, 0, 1, 26, 0, 1, 1, 16, 0, 2, 1, 2, 0], .invalidSampleRate),
      (517, nil, [2, 2, 0, 1, 25, 0, 1, 1, 16, 0, 2, 1, 3, 0], .invalidRange),
      (517, nil, [2, 2, 0, 1, 25, 0, 2, 1, 2, 0], .invalidResolution),
    ] as [(UInt16, PolarControlPointStatus?, [UInt8], PolarControlPointStatus)])
  func testStart_HasTheStatusOfTheStrap(
    mtu: UInt16, refusal: PolarControlPointStatus?, request: [UInt8], status: PolarControlPointStatus
  ) throws {
    var measurements = SimulatedMeasurements.chestStrap
    measurements.refusal = refusal
    guard case .indications(let parts) = measurements.write(request, isIndicating: true, mtu: Int(mtu)) else {
      Issue.record("the strap refuses the write")
      return
    }
    let response = try PolarControlPointResponse.decode(try #require(parts.first)[...])
    #expect(response.status == status)
    #expect(measurements.running.isEmpty == (status != .success))
  }

  @Test
  func testLongResponse_HasPartsForAShortMTU() throws {
    var measurements = SimulatedMeasurements.chestStrap
    guard case .indications(let parts) = measurements.write([1, 2], isIndicating: true, mtu: 23) else {
      Issue.record("the strap refuses the write")
      return
    }
    #expect(parts.map(\.count) == [20, 12])
    #expect(parts.map { $0[4] } == [1, 0])
  }

  @Test
  func testPPI_IsExcludedBySDKMode() {
    var measurements = SimulatedMeasurements.armBand
    #expect(measurements.write([2, 9], isIndicating: true, mtu: 232) == .indications([[0xF0, 2, 9, 0, 0]]))
    #expect(measurements.write([2, 3], isIndicating: true, mtu: 232) == .indications([[0xF0, 2, 3, 12, 0]]))
  }

  @Test
  func testFrames_AreSentOnlyWhileTheirStreamRuns() async throws {
    try await BusClient.with { client in
      let strap = Self.strap()
      let measurements = FakeMeasurements(of: strap, on: client.fake)
      let (control, data) = try await connect(client, strap)
      try await client.call(control, Self.characteristic, "StartNotify")
      try await client.call(data, Self.characteristic, "StartNotify")
      #expect(await !measurements.notify([2, 1]))
      try await write(client, control, Self.start)
      #expect(await measurements.notify([2, 2]))
      #expect(await !measurements.notify([0, 3]))
      await measurements.end(.acceleration, .ecg)
      #expect(try await client.get(control, Self.characteristic, "Value") == .bytes([1, 2]))
      #expect(await !measurements.notify([2, 4]))
    }
  }

  /// The stream then drains the battery of the strap.
  @Test
  func testStreamOfAClientThatVanishes_RunsUntilTheLinkEnds() async throws {
    try await BusClient.with { client in
      let strap = Self.strap()
      let (control, data) = try await connect(client, strap)
      try await client.call(control, Self.characteristic, "StartNotify")
      try await client.call(data, Self.characteristic, "StartNotify")
      try await write(client, control, Self.start)
      client.connection.close()
      _ = await client.fake.waitUntil { !$0.isSubscribed(strap, to: .measurementData) }
      #expect(await client.fake.world.runningMeasurements(of: strap) == [.acceleration])
      await client.fake.dropLink(strap)
      #expect(await client.fake.world.runningMeasurements(of: strap) == [])
    }
  }
}
