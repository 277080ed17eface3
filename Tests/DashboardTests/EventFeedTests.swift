import NIOCore
import Synchronization
import TachogramCore
import Testing

@testable import Dashboard

@Suite("Event feed")
struct EventFeedTests {
  private static func reading(_ strap: Int) -> EventFeed.Event {
    .reading(
      API.Reading(
        strap: strap, name: "H10",
        link: API.Link(LinkState(phase: .live, since: MonotonicTime(microseconds: 0)), text: "live"),
        isCurrent: true, contact: .detected, notifications: 1, gaps: 0, beats: []))
  }

  private static let empty = API.Live(time: WallTime(microseconds: 0), readings: [])

  /// The identifiers of what waits for a reader, once the feed has ended.
  private static func identifiers(_ reader: EventFeed.Reader) async -> [String] {
    var found: [String] = []
    for await buffer in reader.stream {
      for event in String(buffer: buffer).split(separator: "\n\n") {
        found.append(event.split(separator: "\n").first.map(String.init) ?? "")
      }
    }
    return found
  }

  @Test func testEvents_AreNumberedForAllReadersAlike() async {
    let feed = EventFeed(started: WallTime(microseconds: 77))
    let readers = (0..<3).map { _ in feed.reader(after: nil) {} }
    for strap in 0..<5 { feed.publish(Self.reading(strap)) }
    feed.finish()
    for reader in readers {
      #expect(reader.needsAll)
      #expect(await Self.identifiers(reader) == (1...5).map { "id: 77-\($0)" })
    }
    #expect(String(buffer: feed.first(Self.empty)).hasPrefix("id: 77-5\nevent: live\ndata: {"))
  }

  @Test func testEvent_IsOneBlockOfText() async {
    let feed = EventFeed(started: WallTime(microseconds: 1))
    let reader = feed.reader(after: nil) {}
    feed.publish(Self.reading(3))
    feed.finish()
    for await buffer in reader.stream {
      let lines = String(buffer: buffer).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 5)
      #expect(lines[1] == "event: reading")
      #expect(lines[2].hasPrefix("data: {"))
      #expect(lines[3].isEmpty && lines[4].isEmpty)
    }
  }

  @Test func testReaderThatComesBack_GetsWhatItMissed() async {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    for strap in 0..<10 { feed.publish(Self.reading(strap)) }
    let reader = feed.reader(after: "5-7") {}
    #expect(!reader.needsAll)
    feed.publish(Self.reading(0))
    feed.finish()
    #expect(await Self.identifiers(reader) == ["id: 5-8", "id: 5-9", "id: 5-10", "id: 5-11"])
  }

  @Test(arguments: ["4-7", "5-11", "5-", "-", "", "5-x", "5--1", "5-7-7", "99999999999999999999-1"])
  func testPlaceThatIsNone_GetsAll(last: String) {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    for strap in 0..<10 { feed.publish(Self.reading(strap)) }
    #expect(feed.reader(after: last) {}.needsAll)
  }

  @Test func testReaderWhoWasAwayForLong_GetsAll() {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    for strap in 0..<1000 { feed.publish(Self.reading(strap)) }
    #expect(feed.reader(after: "5-1") {}.needsAll)
    #expect(feed.reader(after: "5-743") {}.needsAll)
    #expect(!feed.reader(after: "5-999") {}.needsAll)
    #expect(!feed.reader(after: "5-1000") {}.needsAll)
  }

  /// All that is kept, although it is more than may wait for one reader; and what comes then.
  @Test func testReaderWhoWasAwayForAMinute_GetsAllThatIsKeptAndStays() async {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    for strap in 0..<1000 { feed.publish(Self.reading(strap)) }
    let reader = feed.reader(after: "5-744") { Issue.record("what it missed counts as slowness") }
    #expect(!reader.needsAll)
    for strap in 0..<32 { feed.publish(Self.reading(strap)) }
    feed.finish()
    #expect(await Self.identifiers(reader) == (745...1032).map { "id: 5-\($0)" })
  }

  @Test func testSlowReader_IsLetGoAndNobodyElse() async {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    let cut = Mutex(0)
    let slow = feed.reader(after: nil) { cut.withLock { $0 += 1 } }
    for strap in 0..<64 { feed.publish(Self.reading(strap)) }
    #expect(cut.withLock { $0 } == 0)
    let quick = feed.reader(after: nil) { Issue.record("a quick reader was let go") }
    feed.publish(Self.reading(0))
    #expect(cut.withLock { $0 } == 1)
    #expect(feed.counts.readers == 1)
    #expect(feed.counts.dropped == 1)
    feed.publish(Self.reading(1))
    feed.finish()
    #expect(await Self.identifiers(slow).count == 64)
    #expect(await Self.identifiers(quick).count == 2)
  }

  @Test func testSignOfLife_ComesOnlyWhenNothingElseDid() async {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    let reader = feed.reader(after: nil) {}
    feed.sendKeepAlive()
    feed.publish(Self.reading(0))
    feed.sendKeepAlive()
    feed.sendKeepAlive()
    feed.finish()
    #expect(await Self.identifiers(reader) == [":", "id: 5-1", ":"])
  }

  /// Nobody is told anything, and nothing wakes, while nobody reads.
  @Test func testSignsOfLife_AreNeededWhileSomebodyReads() {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    let (one, two) = (feed.reader(after: nil) {}, feed.reader(after: nil) {})
    #expect(feed.beginKeepAlive())
    #expect(!feed.beginKeepAlive())
    feed.leave(one)
    #expect(feed.sendKeepAlive())
    feed.leave(two)
    #expect(!feed.sendKeepAlive())
    #expect(feed.beginKeepAlive())
  }

  @Test func testReaderAfterTheEnd_EndsAtOnce() async {
    let feed = EventFeed(started: WallTime(microseconds: 5))
    feed.finish()
    #expect(await Self.identifiers(feed.reader(after: nil) {}) == [])
    #expect(feed.counts.readers == 0)
  }
}
