import DashboardTestKit
import Foundation
import Glances
import HTTPTypes
import Synchronization
import TachogramCore
import Testing

@testable import Dashboard

@Suite("Glances on the page's server")
struct GlanceRoutesTests {
  @Test(arguments: GlanceFamily.allCases, GlanceForm.allCases)
  func testGlance_IsTheOneOfTheModule(family: GlanceFamily, form: GlanceForm) async throws {
    let client = TestClient()
    let answer = try await client.get("/glance/\(family.rawValue).\(form.rawValue)?look=dark")
    #expect(answer.status == 200)
    let content = client.backend.glanceContent.withLock { $0 }
    #expect(answer.body == (try Glance(content).text(family, form, look: .dark)))
    #expect(answer.header("Content-Type") == form.mediaType)
    #expect(answer.header("Cache-Control") == "private, max-age=300")
    #expect(answer.header("Refresh") == (form == .svg ? "300" : nil))
    #expect(answer.header("Referrer-Policy") == "no-referrer")
    #expect(
      answer.header("Content-Security-Policy")
        == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
  }

  @Test func testGlance_IsSentOnlyWhenItChanged() async throws {
    let client = TestClient()
    let tag = try #require(try await client.get("/glance/small.svg").header("ETag"))
    let again = try await client.get("/glance/small.svg", headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
    #expect(again.header("Cache-Control") == "private, max-age=300")
    // A reading that is no longer current is another picture.
    client.backend.glanceContent.withLock {
      $0 = FakeGlances.day(until: WallTime(microseconds: 86_400_000_000), isCurrent: false)
    }
    let stale = try await client.get("/glance/small.svg", headers: ["If-None-Match": tag])
    #expect(stale.status == 200 && stale.header("ETag") != tag)
  }

  @Test func testHead_HasTheHeadersAlone() async throws {
    let client = TestClient()
    let (head, get) = (
      try await client.ask(.head, "/glance/large.svg"), try await client.get("/glance/large.svg")
    )
    #expect(head.status == 200 && head.headers == get.headers && head.body.isEmpty)
  }

  @Test(arguments: [
    ("huge.svg", 404, "small, medium, large, circular, rectangular, inline"), ("small.pdf", 404, ".svg, .json, .txt"),
    ("small", 404, "there is no such glance"), ("small.svg.gz", 404, "there is no such glance"),
    ("small.svg?look=pink", 400, "look is one of light, dark, auto, e-ink."),
    ("small.svg?size=3", 400, "size is not a parameter of this request"),
    ("small.svg?person=Anna&strap=H10", 400, "give either strap or person."),
    ("small.svg?person=", 400, "person is given once"),
    ("small.svg?strap=other", 404, "there is no strap of this name."),
  ])
  func testWrongGlance_IsRefusedWithItsReason(file: String, status: Int, words: String) async throws {
    let answer = try await TestClient().get("/glance/\(file)")
    #expect(answer.status == status && answer.body.contains(words), "\(answer.body)")
  }

  @Test(arguments: ["?person=Anna", "?strap=H10", ""])
  func testStrapOrPerson_IsChosen(query: String) async throws {
    #expect(try await TestClient().get("/glance/inline.txt\(query)").status == 200)
  }
}

@Suite("Choice of a reading")
struct ReadingChoiceTests {
  private static func reading(
    _ strap: Int, _ name: String, person: String?, heard: String?, isCurrent: Bool
  )
    -> API.Reading
  {
    let link = API.Link(LinkState(phase: .live, since: MonotonicTime(microseconds: 0)), text: "")
    var reading = API.Reading(
      strap: strap, name: name, link: link, isCurrent: isCurrent, contact: .detected, notifications: 0, gaps: 0,
      beats: [])
    (reading.person, reading.lastHeard) = (person, heard)
    return reading
  }

  @Test func testChoice_PrefersWhatIsCurrentThenWhatWasReceivedLast() {
    let early = Self.reading(0, "A", person: "Anna", heard: "2026-03-29T01:00:00.000Z", isCurrent: false)
    let late = Self.reading(1, "B", person: "Bert", heard: "2026-03-29T02:00:00.000Z", isCurrent: false)
    let never = Self.reading(2, "C", person: "Anna", heard: nil, isCurrent: false)
    #expect(ReadingChoice.automatic.reading(of: [early, late, never]) == late)
    #expect(ReadingChoice.person("Anna").reading(of: [never, early, late]) == early)
    #expect(ReadingChoice.strap("C").reading(of: [early, late, never]) == never)
    #expect(ReadingChoice.strap("D").reading(of: [early, late, never]) == nil)
    #expect(ReadingChoice.person("Carl").reading(of: [early, late, never]) == nil)
    #expect(ReadingChoice.automatic.reading(of: []) == nil)
    let current = Self.reading(3, "D", person: nil, heard: "2026-03-29T01:30:00.000Z", isCurrent: true)
    #expect(ReadingChoice.automatic.reading(of: [early, late, current]) == current)
    // Of two that were never received, the first.
    let other = Self.reading(4, "E", person: "Anna", heard: nil, isCurrent: false)
    #expect(ReadingChoice.automatic.reading(of: [never, other]) == never)
  }
}
