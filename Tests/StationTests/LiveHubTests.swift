import GATT
import Outlets
import Presentation
import Recording
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

struct LiveHubTests {
  private static let epoch: Int64 = 1_700_000_000_000_000
  private static let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)

  private static func event(_ second: Int64, _ content: StrapEvent.Content) -> StrapEvent {
    let time = epoch + second * 1_000_000
    return StrapEvent(
      strap: 0, monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time), content: content)
  }

  /// A strap that is identified, and notifies a beat of a second each second from 1 to `last`, but for `missing`.
  private static func script(
    last: Int64, missing: ClosedRange<Int64>? = nil, ticks: (Int64) -> UInt16 = { _ in 1024 },
  ) -> [StrapEvent] {
    func value(_ second: Int64) -> [UInt8] {
      let intervals = RRIntervals([RRInterval(ticks: ticks(second))])
      return HeartRateMeasurementCodec.encode(HeartRateMeasurement(heartRate: 60, rrIntervals: intervals))
    }
    let state = LinkState(phase: .live, since: MonotonicTime(microseconds: epoch))
    return [
      event(0, .identified(StrapIdentity(address: address))),
      event(0, .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)), event(0, .state(state)),
    ] + (1...last).filter { missing?.contains($0) != true }.map { event($0, .notification(value($0))) }
  }

  /// A hub that has heard all of it, with the clock at its last event.
  private static func hub(
    _ script: [StrapEvent], seconds: Int64, feed: EventFeed = EventFeed(started: WallTime(microseconds: 0)),
  ) async throws -> (hub: LiveHub, clock: ManualTimeSource) {
    let clock = ManualTimeSource(epoch: epoch)
    let hub = LiveHub(names: StrapNames(known: []), feed: feed, time: clock)
    clock.advance(seconds: seconds)
    let options = LiveOptions(person: "Anna", isStored: false)
    _ = try await LiveRecorder(
      source: ScriptedSource(script), options: options, time: clock, database: nil, observe: hub.handle
    ).run()
    return (hub, clock)
  }

  /// An outlet receives each beat once, with the gap before it, and the reading of the page.
  @Test func testOutlet_ReceivesReadings_AndEachBeatOnce() async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let hub = LiveHub(
      names: StrapNames(known: []), feed: EventFeed(started: WallTime(microseconds: 0)), outlets: outlets, time: clock)
    clock.advance(seconds: 90)
    _ = try await LiveRecorder(
      source: ScriptedSource(Self.script(last: 90, missing: 40...50)), options: LiveOptions(isStored: false),
      time: clock,
      database: nil, observe: hub.handle
    ).run()
    let delivery = try #require(await outlets.members[0].mailbox.next())
    #expect(delivery.readings.map(\.heartRate) == [60] && delivery.readings.first?.session != nil)
    #expect(delivery.readings.first?.isAverage == false)
    #expect(delivery.beats.count == 79 && Set(delivery.beats.map(\.sequence)).count == 79)
    #expect(delivery.beats.filter(\.followsGap).count == 1 && delivery.beats.allSatisfy { $0.interval == 1000 })
  }

  /// A station without a paired strap looks for any. That is no strap yet, for other systems.
  @Test func testStrapThatIsLookedFor_IsNotSaidToOutlets() async {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let hub = LiveHub(
      names: StrapNames(wanted: ["any strap"], known: []), feed: EventFeed(started: WallTime(microseconds: 0)),
      outlets: outlets, time: clock)
    let state = LinkState(phase: .scanning, since: MonotonicTime(microseconds: Self.epoch))
    _ = try? await LiveRecorder(
      source: ScriptedSource([Self.event(0, .state(state))]), options: LiveOptions(isStored: false), time: clock,
      database: nil, observe: hub.handle
    ).run()
    #expect(hub.live().readings.map(\.name) == ["any strap"])
    outlets.members[0].mailbox.finish()
    #expect(await outlets.members[0].mailbox.next() == nil)
  }

  @Test func testRenamedStrap_IsPublishedAtOnce() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 9), seconds: 9)
    let known = KnownStrap(
      address: Self.address, name: "Anna's", advertisedName: nil, isBonded: false, added: WallTime(microseconds: 0))
    hub.rename(StrapNames(known: [known]))
    #expect(hub.live().readings.map(\.name) == ["Anna's"])
    hub.rename(StrapNames(known: []))
    #expect(hub.live().readings.map(\.name) == [Self.address.description])
  }

  @Test func testReading_IsWhatWasHeard() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 90), seconds: 90)
    let reading = try #require(hub.live().readings.first)
    #expect(reading.isCurrent)
    #expect(reading.heartRate == 60)
    #expect(reading.person == "Anna")
    #expect(reading.address == "C0:FF:EE:00:00:01")
    #expect(reading.notifications == 90)
    #expect(reading.lastHeard == "2023-11-14T22:14:50.000Z")
    #expect(reading.start == "2023-11-14T22:13:21.000Z")
    #expect(reading.beats.count == 90)
    #expect(reading.beats.last?.time == "2023-11-14T22:14:50.000Z")
    #expect(reading.beats.allSatisfy { $0.rr == 1000 && $0.followsGap == nil && $0.isMarked == nil })
    #expect(reading.minute?.meanHeartRate == 60)
    // Equal intervals, as those of a pacemaker: their mean is all that is said of them.
    #expect(reading.minute?.rmssd == nil)
    #expect(reading.fiveMinutes?.unavailable?["sdnn"]?.hasPrefix("the intervals repeat themselves") == true)
    #expect(reading.stress == nil)
    #expect(reading.stressAbsence?.contains("the intervals repeat themselves in 100.0 % of it") == true)
    #expect(hub.running == [try #require(reading.session)])
  }

  @Test(arguments: [true, false])
  func testStrapThatMustBePaired_NamesThePasskeyOfTheConfiguration(hasPasskey: Bool) async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let feed = EventFeed(started: WallTime(microseconds: 0))
    let hub = LiveHub(names: StrapNames(known: []), feed: feed, time: clock, hasPasskey: hasPasskey)
    let state = LinkState(
      phase: .backingOff, reason: .notAuthorised, since: MonotonicTime(microseconds: Self.epoch))
    let identity = StrapIdentity(address: Self.address)
    _ = try await LiveRecorder(
      source: ScriptedSource([Self.event(0, .identified(identity)), Self.event(0, .state(state))]),
      options: LiveOptions(isStored: false), time: clock, database: nil, observe: hub.handle
    ).run()
    let text = try #require(hub.live().readings.first).link.text
    #expect(text.contains("the strap must be paired") && text.contains("radio.passkey") == hasPasskey, "\(text)")
  }

  @Test func testReadingOfAHeart_HasAStressLevel() async throws {
    let script = Self.script(last: 90) { 1006 + UInt16($0 * $0 % 37) }
    let reading = try #require(try await Self.hub(script, seconds: 90).hub.live().readings.first)
    #expect(try #require(reading.minute?.rmssd) > 10)
    #expect(reading.fiveMinutes?.unavailable == nil)
    #expect(reading.stress != nil && reading.stressAbsence == nil)
  }

  @Test func testSessionThatHasEnded_IsNotRunning() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 90), seconds: 90)
    hub.ended(0)
    #expect(hub.running.isEmpty)
    #expect(hub.watched().map(\.isInSession) == [false])
    let reading = try #require(hub.live().readings.first)
    #expect(reading.session == nil && reading.person == nil && reading.start == nil)
    #expect(reading.minute == nil && reading.stress == nil && reading.stressAbsence == nil)
    #expect(reading.address == "C0:FF:EE:00:00:01")
  }

  @Test func testWindowThatIsTooShort_SaysWhy() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 20), seconds: 20)
    let window = try #require(hub.live().readings.first?.minute)
    #expect(window.sdnn == nil && window.rmssd == nil && window.meanHeartRate == 60)
    #expect(window.unavailable?["sdnn"] == "needs 60 s of intervals, there are 20.0 s")
    #expect(window.unavailable?["rmssd"] == "needs 30 s of intervals, there are 20.0 s")
    #expect(window.unavailable?["meanHeartRate"] == nil)
  }

  @Test func testLostNotifications_AreAGapInTheTrace() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 60, missing: 30...40), seconds: 60)
    let reading = try #require(hub.live().readings.first)
    #expect(reading.gaps == 1)
    #expect(reading.beats.filter { $0.followsGap == true }.map(\.time) == ["2023-11-14T22:14:01.000Z"])
  }

  @Test func testTrace_KeepsTheLastBeatsOnly() async throws {
    let (hub, _) = try await Self.hub(Self.script(last: 300), seconds: 300)
    let beats = try #require(hub.live().readings.first?.beats)
    #expect(beats.count == 120)
    #expect(beats.last?.time == "2023-11-14T22:18:20.000Z")
  }

  /// Every beat is told once, and the end of the silence before it.
  @Test func testSilence_IsToldOnce() async throws {
    let feed = EventFeed(started: WallTime(microseconds: 0))
    let (hub, clock) = try await Self.hub(Self.script(last: 60), seconds: 60, feed: feed)
    let told = feed.counts.events
    #expect(told == 63)
    hub.watch()
    #expect(feed.counts.events == told)
    clock.advance(seconds: 4)
    hub.watch()
    #expect(feed.counts.events == told)
    clock.advance(seconds: 1)
    hub.watch()
    #expect(feed.counts.events == told + 1)
    #expect(hub.live().readings.first?.isCurrent == false)
    hub.watch()
    #expect(feed.counts.events == told + 1)
  }

  @Test func testStrapThatIsDismissed_IsShownNoLonger() async throws {
    let feed = EventFeed(started: WallTime(microseconds: 0))
    let script = Self.script(last: 60) + [Self.event(61, .linkDown(reason: 0)), Self.event(61, .dismissed)]
    let (hub, _) = try await Self.hub(script, seconds: 61, feed: feed)
    #expect(hub.live().readings.isEmpty)
    #expect(hub.running.isEmpty)
    // Each event told a reading, and the last how all is now.
    #expect(feed.counts.events == 65)
  }
}
