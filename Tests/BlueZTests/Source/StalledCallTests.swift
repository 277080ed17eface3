import BlueZ
import FakeBlueZ
import TachogramCore
import Testing

/// A call that the daemon never answers holds up the strap that it is for, and no other. No step is given up here, so
/// that only what does not wait for the call goes on.
@Suite("Calls that are never answered", .serialized, .timeLimit(.minutes(5)))
struct StalledCallTests {
  private static let (hindered, other) = (FakeStrap(number: 1), FakeStrap(number: 2))

  @Test(arguments: ["Connect", "Pair", "AcquireNotify"])
  func testStalledCall_LeavesTheOtherStrapAlone(method: String) async throws {
    // Given
    var hindered = Self.hindered
    hindered.requiresBond = method == "Pair"
    let bench = try await SourceBench(
      isPatient: true,
      straps: [
        .init(.address(hindered.address), wantsBond: hindered.requiresBond), .init(.address(Self.other.address)),
      ])
    await bench.fake.stall(method)
    await bench.fake.advertise(hindered)
    await bench.listen()
    _ = await bench.fake.waitUntil { $0.calls[method, default: 0] > 0 }
    // When
    await bench.fake.advertise(Self.other)
    await bench.fake.subscribed(Self.other)
    let values = (60..<160).map { [0, UInt8($0)] }
    await bench.fake.play(Self.other, values)
    await bench.wait(notifications: values.count)
    await bench.wait { $0.phases(of: 1).last == .live }
    // Then
    let events = await bench.events
    #expect(events.notifications(of: 1) == values)
    #expect(events.notifications(of: 0).isEmpty)
    #expect(![nil, .live, .backingOff].contains(events.phases(of: 0).last))
    _ = await bench.stop()
  }

  @Test
  func testStalledRegistrationOfTheAgent_HoldsUpNoStrap() async throws {
    let bench = try await SourceBench(isPatient: true, prompt: FixedPasskeyPrompt(passkey: nil))
    await bench.fake.stall("RegisterAgent", times: .max)
    await bench.fake.advertise(FakeStrap())
    await bench.listen()
    await bench.fake.subscribed(FakeStrap())
    #expect(await bench.fake.calls(of: "RegisterAgent") == 1)
    _ = await bench.stop()
  }

  @Test(arguments: ["Connect", "AcquireNotify"])
  func testStalledCallOfAStrapThatComesBack_HoldsUpNoData(method: String) async throws {
    // Given
    let bench = try await SourceBench(
      isPatient: true, straps: [Self.hindered, Self.other].map { .init(.address($0.address)) })
    await bench.fake.advertise(Self.hindered)
    await bench.fake.advertise(Self.other)
    await bench.listen()
    await bench.fake.subscribed(Self.hindered)
    await bench.fake.subscribed(Self.other)
    // When
    let calls = await bench.fake.calls(of: method)
    await bench.fake.stall(method)
    await bench.fake.dropLink(Self.hindered)
    _ = await bench.fake.waitUntil { $0.calls[method, default: 0] > calls }
    let values = (60..<160).map { [0, UInt8($0)] }
    await bench.fake.play(Self.other, values)
    await bench.wait(notifications: values.count)
    // Then
    let events = await bench.stop()
    #expect(events.notifications(of: 1) == values)
    #expect(events.links(of: 1) == (1, 1))
  }
}
