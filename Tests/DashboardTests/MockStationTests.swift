import DashboardTestKit
import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard

/// The station that the page is developed with.
struct MockStationTests {
  private let time = ManualTimeSource()

  @Test(arguments: [(MockMode.normal, 2), (.single, 1), (.unrecorded, 2), (.silent, 2), (.stale, 2), (.empty, 0)])
  func testMode_DecidesWhichStrapsAreHeard(mode: MockMode, count: Int) async throws {
    let station = MockStation(mode, time: time)
    let readings = await station.live().readings
    #expect(readings.count == count)
    #expect(readings.allSatisfy { $0.isCurrent == (mode != .stale) })
    #expect(try await station.straps().isEmpty == (mode == .empty))
    #expect(try await station.sessions(SessionQuery(limit: 50)).sessions.isEmpty == (mode == .empty))
  }

  @Test func testBeats_ComeOnce() async throws {
    let station = MockStation(time: time)
    let before = await station.live().readings.map(\.notifications)
    time.advance(seconds: 10)
    station.publish()
    let after = await station.live().readings.map(\.notifications)
    for (before, after) in zip(before, after) { #expect((8...16).contains(after - before)) }
    #expect(station.feed.counts.events == 3)
    station.mode = .silent
    station.publish()
    #expect(station.feed.counts.events == 3)
  }

  @Test func testSessions_ComeInPagesAndHaveTheirParts() async throws {
    let station = MockStation(time: time)
    var (query, ids): (SessionQuery, [String]) = (SessionQuery(limit: 20), [])
    repeat {
      let page = try await station.sessions(query)
      ids += page.sessions.map(\.id)
      query.cursor = page.next
    } while query.cursor != nil
    #expect(ids.count == 56)
    #expect(Set(ids).count == 56)
    for id in ids.prefix(3) {
      #expect(try await station.session(id).id == id)
      let beats = try await station.beats(of: id, points: 1000)
      #expect(beats.total == beats.seconds.count && beats.total > 100)
      #expect(try await !station.windows(of: id, length: .fiveMinutes).windows.isEmpty)
      #expect(try await station.poincare(of: id).total == beats.total - 1)
    }
    await #expect(throws: DashboardError.self) { try await station.session("none") }
  }

  @Test(arguments: ["Anna", "Bert", nil])
  func testBaseline_IsJSON(person: String?) async throws {
    let text = try await MockStation(time: time).baseline(of: person)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["person"] as? String == person)
  }
}
