import BlueZ
import GATT
import Listening
import Outlets
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Station

@Suite("Heart rates from advertisements")
struct LiveBroadcastsTests {
  private static let epoch: Int64 = 1_774_742_400_000_000

  private static func heard(
    _ heartRate: UInt8, address: UInt64 = 0xC8DE_ADBE_EF01, at second: Int64
  ) -> BlueZBroadcasts.Update {
    let time = epoch + second * 1_000_000
    return .heard(
      HeardBroadcast(
        address: BluetoothAddress(value: address, kind: .random), name: "Polar Vantage",
        content: HeartRateBroadcast(heartRate: heartRate, contact: .detected), signal: -61,
        monotonic: MonotonicTime(microseconds: time), wall: WallTime(microseconds: time)))
  }

  private static func broadcasts(
    _ clock: ManualTimeSource, words: [StrapSelector] = [], _ outlets: OutletHub = OutletHub([])
  ) -> LiveBroadcasts {
    LiveBroadcasts(
      BroadcastBoard(filter: BroadcastFilter(words), known: []), feed: EventFeed(started: clock.now().wall),
      outlets: outlets, time: clock)
  }

  @Test func testHeardRate_IsAnAverage_WithoutASession() throws {
    let broadcasts = Self.broadcasts(ManualTimeSource(epoch: Self.epoch))
    broadcasts.handle(Self.heard(72, at: 0))
    let reading = try #require(broadcasts.readings().first)
    #expect(reading.isAverage == true && reading.heartRate == 72 && reading.isCurrent && reading.signalDBm == -61)
    #expect(reading.session == nil && reading.beats.isEmpty && reading.minute == nil && reading.stress == nil)
    #expect(reading.strap == LiveBroadcasts.firstNumber && reading.contact == SensorContact.detected.rawValue)
  }

  @Test func testStrapsThatAreNotWanted_AreNotShown() throws {
    let wanted = BluetoothAddress(value: 0xC8DE_ADBE_EF02, kind: .random)
    let broadcasts = Self.broadcasts(ManualTimeSource(epoch: Self.epoch), words: [.address(wanted)])
    broadcasts.handle(Self.heard(72, at: 0))
    #expect(broadcasts.readings().isEmpty)
    broadcasts.handle(Self.heard(80, address: wanted.value, at: 0))
    #expect(broadcasts.readings().map(\.heartRate) == [80])
  }

  /// Devices that invent addresses do not fill the memory of the station or of its outlets.
  @Test func testStrapsThatAreSilentForLong_AreForgotten_AndOutletsToo() async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let broadcasts = Self.broadcasts(clock, outlets)
    broadcasts.handle(Self.heard(72, at: 0))
    _ = await outlets.members[0].mailbox.next()
    clock.advance(seconds: 700)
    #expect(broadcasts.handle(Self.heard(80, address: 0xC8DE_ADBE_EF02, at: 700)))
    let delivery = try #require(await outlets.members[0].mailbox.next())
    #expect(delivery.forgotten.map(\.strap) == [LiveBroadcasts.firstNumber])
    let readings = broadcasts.readings()
    #expect(readings.map(\.heartRate) == [80] && readings.map(\.strap) == [LiveBroadcasts.firstNumber + 1])
    #expect(!broadcasts.handle(Self.heard(73, at: 701)))
    #expect(broadcasts.readings().map(\.strap) == [LiveBroadcasts.firstNumber + 1, LiveBroadcasts.firstNumber + 2])
  }

  /// Also when nothing else is heard. A strap that the configuration names stays, for who uses it again tomorrow.
  @Test(arguments: [true, false]) func testOnlyStrap_IsForgotten_UnlessItIsNamed(isNamed: Bool) async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF02, kind: .random)
    let broadcasts = Self.broadcasts(clock, words: isNamed ? [.address(address)] : [], outlets)
    broadcasts.handle(Self.heard(72, address: address.value, at: 0))
    _ = await outlets.members[0].mailbox.next()
    clock.advance(seconds: 599)
    #expect(!broadcasts.forgetAbsent())
    clock.advance(seconds: 2)
    #expect(broadcasts.forgetAbsent() != isNamed && broadcasts.readings().isEmpty != isNamed)
    if isNamed { return }
    #expect(await outlets.members[0].mailbox.next()?.forgotten.map(\.address) == [address.description])
  }

  /// A strap that the station is about to connect to is no device of its own for its averages.
  @Test func testPairedStrap_CountsWhenTheStationDoesNotConnectToIt() {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF02, kind: .random)
    let paired = KnownStrap(
      address: address, name: "Anna", advertisedName: nil, isBonded: false, added: WallTime(microseconds: 1))
    let broadcasts = LiveBroadcasts(
      BroadcastBoard(filter: BroadcastFilter([]), known: [paired]), feed: EventFeed(started: clock.now().wall),
      outlets: OutletHub([]), time: clock)
    func hear(_ second: Int64) -> Bool {
      broadcasts.handle(Self.heard(72, address: address.value, at: second))
      return !broadcasts.readings().isEmpty
    }
    #expect(!hear(0) && !hear(14))
    // It was connected meanwhile.
    if case .heard(let heard) = Self.heard(72, address: address.value, at: 15) { broadcasts.ignore(heard) }
    #expect(!hear(20) && !hear(34) && hear(35) && hear(36))
  }

  /// Within five seconds of the last advertisement it is stale, once, on the page and for outlets.
  @Test func testSilentStrap_IsStale() async throws {
    let clock = ManualTimeSource(epoch: Self.epoch)
    let outlets = OutletHub([RecordingOutlet()])
    let broadcasts = Self.broadcasts(clock, outlets)
    broadcasts.handle(Self.heard(72, at: 0))
    let heard = try #require(await outlets.members[0].mailbox.next()?.readings.first)
    #expect(heard.isAverage && heard.isCurrent && heard.heartRate == 72)
    let due = try #require(broadcasts.nextStale())
    #expect(due.microseconds - Self.epoch < 5_000_000)
    clock.advance(seconds: 5)
    broadcasts.watch()
    broadcasts.watch()
    let delivery = await outlets.members[0].mailbox.next()
    #expect(delivery?.readings.map(\.isCurrent) == [false])
    #expect(broadcasts.nextStale() == nil && broadcasts.readings().first?.isCurrent == false)
  }
}
