import BlueZ
import FakeBlueZ
import TachogramCore
import Testing

/// Other straps are wanted while the source runs.
@Suite("Straps that are followed", .timeLimit(.minutes(5)))
struct FollowedStrapsTests {
  private static let (first, second) = (FakeStrap(number: 1), FakeStrap(number: 2))

  private static func wanted(_ straps: FakeStrap...) -> [BlueZSourceOptions.Strap] {
    straps.map { .init(.address($0.address)) }
  }

  private static func value(_ number: Int) -> [UInt8] { [0, UInt8(60 + number)] }

  /// A bench on which the first strap is live and has notified once.
  private static func bench(_ straps: [BlueZSourceOptions.Strap]) async throws -> SourceBench {
    let bench = try await SourceBench(isPatient: true, straps: straps)
    await bench.fake.advertise(first)
    await bench.listen()
    await bench.fake.subscribed(first)
    await bench.fake.play(first, [value(0)])
    await bench.wait(notifications: 1)
    return bench
  }

  private static func isDismissed(_ strap: Int, _ events: [StrapEvent]) -> Bool {
    events.contains { $0.strap == strap && $0.content == .dismissed }
  }

  @Test func testStrapThatIsAdded_IsHeardBesideTheFirst() async throws {
    let bench = try await Self.bench(Self.wanted(Self.first))
    bench.source.follow(Self.wanted(Self.second, Self.first))
    await bench.fake.advertise(Self.second)
    await bench.fake.subscribed(Self.second)
    await bench.fake.play(Self.second, [Self.value(1)])
    await bench.fake.play(Self.first, [Self.value(2)])
    await bench.wait(notifications: 3)
    let events = await bench.stop()
    #expect(events.notifications(of: 0) == [Self.value(0), Self.value(2)])
    #expect(events.notifications(of: 1) == [Self.value(1)])
    // The link that was there stays.
    #expect(events.links(of: 0) == (1, 1))
    #expect(!Self.isDismissed(0, events) && !Self.isDismissed(1, events))
  }

  @Test func testStrapThatIsWantedNoLonger_EndsInOrder() async throws {
    let bench = try await Self.bench(Self.wanted(Self.first))
    bench.source.follow(Self.wanted(Self.second))
    await bench.wait { Self.isDismissed(0, $0) }
    let devices = await bench.fake.world.devices.values
    #expect(!devices.contains { $0.address == Self.first.address && $0.isConnected })
    await bench.fake.advertise(Self.second)
    await bench.fake.subscribed(Self.second)
    await bench.fake.play(Self.second, [Self.value(1)])
    await bench.wait(notifications: 2)
    let events = await bench.stop()
    #expect(events.links(of: 0) == (1, 1))
    guard case .dismissed = events.last(where: { $0.strap == 0 })?.content else {
      Issue.record("something was told of the strap after it was dismissed")
      return
    }
    #expect(events.notifications(of: 1) == [Self.value(1)])
  }

  /// As when the strap that happened to be heard is paired: another link takes it over, under an ordinal of its own.
  @Test func testStrapThatAnotherLinkHad_IsTakenOver() async throws {
    let bench = try await Self.bench([.init(.any)])
    bench.source.follow(Self.wanted(Self.first))
    await bench.wait { Self.isDismissed(0, $0) }
    await bench.fake.subscribed(Self.first)
    await bench.fake.play(Self.first, [Self.value(1)])
    await bench.wait(notifications: 2)
    let events = await bench.stop()
    #expect(events.notifications(of: 1) == [Self.value(1)])
  }

  @Test func testNobody_CanBeFollowedToo() async throws {
    let bench = try await Self.bench(Self.wanted(Self.first))
    bench.source.follow([])
    await bench.wait { Self.isDismissed(0, $0) }
    bench.source.follow(Self.wanted(Self.first))
    await bench.fake.subscribed(Self.first)
    await bench.fake.play(Self.first, [Self.value(1)])
    await bench.wait(notifications: 2)
    #expect(await bench.stop().notifications(of: 1) == [Self.value(1)])
  }
}
