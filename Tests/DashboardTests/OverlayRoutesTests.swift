import DashboardTestKit
import Foundation
import Synchronization
import TachogramCore
import Testing

@testable import Dashboard

@Suite("Overlay")
struct OverlayRoutesTests {
  private static func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A reading of a heart, with all that an overlay does not show.
  private static var reading: API.Reading {
    let link = API.Link(LinkState(phase: .live, since: MonotonicTime(microseconds: 0)), text: "")
    let beats = (0..<100).map { index in
      API.LiveBeat(
        rr: RRInterval(ticks: 1024), time: WallTime(microseconds: 0), isMarked: false, followsGap: index == 98)
    }
    var reading = API.Reading(
      strap: 0, name: "<b>H10</b>", link: link, isCurrent: true, contact: .detected, notifications: 1, gaps: 0,
      beats: beats)
    reading.address = "C8:DE:AD:BE:EF:01"
    reading.session = FakeBackend.session
    (reading.heartRate, reading.batteryPercent, reading.person) = (61, 80, "Anna")
    reading.lastHeard = Timestamp.text(WallTime(microseconds: -1_500_000))
    return reading
  }

  @Test func testPage_HasItsOptionsAndNothingFromElsewhere() async throws {
    let client = TestClient()
    let plain = try await client.get("/overlay")
    #expect(plain.status == 200 && plain.header("Content-Type") == "text/html; charset=utf-8")
    #expect(plain.header("Cache-Control") == "no-store")
    #expect(
      plain.body.contains(
        """
        <body data-fields="heartRate" data-size="64" data-colour="white" data-background="transparent" \
        data-backdrop="transparent" data-font="system" data-align="left" data-shadow="soft">
        """))
    let policy = try #require(plain.header("Content-Security-Policy"))
    for part in [
      "default-src 'none'", "script-src 'self'", "style-src 'self';", "style-src-elem 'self' 'unsafe-inline';",
      "frame-ancestors 'none'",
    ] {
      #expect(policy.contains(part))
    }
    let chosen = try await client.get(
      "/overlay?fields=trace,name,heartRate&size=120&colour=FF8800&background=%2300000080&backdrop=0f0&font=serif"
        + "&align=right&shadow=none&strap=Anna%27s%20%22belt%22")
    #expect(
      chosen.body.contains(
        """
        <body data-fields="trace name heartRate" data-size="120" data-colour="#ff8800" data-background="#00000080" \
        data-backdrop="#0f0" data-font="serif" data-align="right" data-shadow="none">
        """), "\(chosen.body)")
    #expect(!chosen.body.contains("belt"))
    for text in [plain.body, try await client.get("/styles/overlay.css").body] {
      #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("url("))
    }
  }

  @Test(arguments: [
    "fields=heartRate,pulse", "fields=heartRate,heartRate", "fields=,", "fields=", "size=7", "size=401", "size=1e2",
    "colour=%23ff880", "colour=red%3Burl(//evil)", "colour=%22%3E%3Cscript%3E", "colour=transparent2",
    "colour=transparent", "background=var(--x)", "backdrop=none", "font=Comic%20Sans", "align=middle", "shadow=true",
    "strap=a&person=b",
    "extra=1", "colour=red&colour=blue", "colour=%EF%BC%91%EF%BC%92%EF%BC%93",
  ])
  func testWrongOption_IsRefusedByName(query: String) async throws {
    let answer = try await TestClient().get("/overlay?\(query)")
    #expect(answer.status == 400, "\(query)")
    let name = query == "strap=a&person=b" ? "strap" : String(query.prefix { $0 != "=" })
    #expect(answer.body.contains(name) && !answer.body.contains("<script"), "\(answer.body)")
  }

  @Test func testPage_IsSmall() async throws {
    var bytes = 0
    for path in ["/overlay", "/styles/overlay.css", "/scripts/overlay.js"] {
      bytes += try await TestClient().get(path).body.utf8.count
    }
    #expect(bytes < 15_000 && bytes > 5000, "\(bytes)")
  }

  @Test func testEvents_HaveTheRequestedFieldsAlone() async throws {
    let client = TestClient()
    client.feed.finish()
    client.backend.readingList.withLock { $0 = [Self.reading] }
    let answer = try await client.get("/overlay/events")
    #expect(answer.header("Content-Type") == "text/event-stream")
    #expect(answer.body.hasPrefix("data: ") && answer.body.hasSuffix("\n\n"))
    let state = try Self.object(answer.body.dropFirst("data: ".count))
    #expect(Set(state.keys) == ["isCurrent", "age", "heartRate"])
    #expect(state["isCurrent"] as? Bool == true && state["age"] as? Int == 1500 && state["heartRate"] as? Int == 61)
    let all = try await client.get("/overlay/events?fields=heartRate,rmssd,sdnn,stress,trace,name,battery")
    let every = try Self.object(all.body.dropFirst("data: ".count))
    #expect(Set(every.keys) == ["isCurrent", "age", "heartRate", "trace", "name", "batteryPercent"])
    let trace = try #require(every["trace"] as? [Any])
    #expect(trace.count == 61 && trace.indices.filter { trace[$0] is NSNull } == [58])
    #expect(!all.body.contains("C8:DE") && !all.body.contains(FakeBackend.session))
    // A strap without a name has its address instead.
    client.backend.readingList.withLock { $0[0].name = "C8:DE:AD:BE:EF:01" }
    let unnamed = try await client.get("/overlay/events?fields=name").body
    #expect(unnamed.contains("\"name\":\"Strap 1\"") && !unnamed.contains("C8:DE"))
  }

  @Test func testEventsWithoutAStrap_SaySo() async throws {
    let client = TestClient()
    client.feed.finish()
    client.backend.readingList.withLock { $0 = [Self.reading] }
    for path in ["/overlay/events?strap=other", "/overlay/events?person=Bert"] {
      #expect(try await client.get(path).body == "data: {\"isCurrent\":false}\n\n")
    }
    #expect(try await client.get("/overlay/events?person=Anna").body.contains("\"heartRate\":61"))
    #expect(try await client.get("/overlay/events?size=3").status == 400)
    // A blank, as forms of HTML and many programs send it, and a plus sign.
    for (name, query) in [("Anna Bee", "Anna+Bee"), ("Anna Bee", "Anna%20Bee"), ("Anna+Bee", "Anna%2BBee")] {
      client.backend.readingList.withLock { $0[0].person = name }
      #expect(try await client.get("/overlay/events?person=\(query)").body.contains("\"heartRate\":61"))
    }
  }

  @Test func testEvents_FollowTheFeed() async throws {
    let client = TestClient()
    client.backend.readingList.withLock { $0 = [Self.reading] }
    let stream = Task { try await client.get("/overlay/events") }
    while client.feed.counts.readers == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    client.backend.readingList.withLock { $0[0].heartRate = 99 }
    client.feed.publish(.reading(Self.reading))
    client.feed.finish()
    let events = try await stream.value.body.split(separator: "\n\n")
    #expect(events.count == 2 && events.last?.contains("\"heartRate\":99") == true)
  }
}
