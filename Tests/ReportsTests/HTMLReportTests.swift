import Foundation
import TachogramTestKit
import Testing

struct HTMLReportTests {
  private static let plots = ["tachogram", "heart-rate", "poincare", "histogram", "spectrum"]
  private static let strips = ["segments-meanHeartRate", "segments-sdnn", "segments-rmssd"]

  /// Seconds and ms of a heart that breathes, with every 97th beat early, and a minute without beats every hour.
  private func recording(seconds: Double) -> String {
    var random = SplitMix64(seed: 24)
    var time = 0.0
    var lines = ["time;RR [ms]"]
    var count = 0
    while time < seconds {
      let calm = 850 + 120 * sin(time / 4000) + 30 * sin(2 * .pi * 0.25 * time) + 20 * random.unit()
      let rr = count % 97 == 50 ? calm * 0.7 : count % 97 == 51 ? calm * 1.3 : calm
      if Int(time / 3600) != Int((time + rr / 1000) / 3600) { time += 60 }
      time += rr / 1000
      count += 1
      lines.append("\(Int((time * 1000).rounded()));\(Int(rr.rounded()))")
    }
    return lines.joined(separator: "\n")
  }

  /// The page of a file with this name and text.
  private func page(_ text: String, name: String = "rr.csv", _ arguments: [String] = []) async throws -> Data {
    let folder = try TemporaryFolder()
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    let result = try await Program.run(["analyze", folder.path(name), "--format", "html"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func testPage_HasEveryPlotWithTitleAndDescription() async throws {
    let page = try #require(PageReading(try await page(recording(seconds: 1500))))
    #expect(page.identifiers("figure") == Self.plots + Self.strips)
    for picture in page.all("svg") where picture.attributes["aria-hidden"] == nil {
      let labels = try #require(picture.attributes["aria-labelledby"]).split(separator: " ").map(String.init)
      #expect(labels.count == 2)
      #expect(page.identifiers("title").contains(labels[0]) && page.identifiers("desc").contains(labels[1]))
    }
    #expect(page.texts("desc").allSatisfy { $0.count > 20 })
    #expect(page.all("ellipse").count == 1)
    #expect(page.all("path").contains { $0.attributes["class"] == "ectopic" })
    let identifiers = page.elements.compactMap { $0.attributes["id"] }
    #expect(Set(identifiers).count == identifiers.count)
  }

  @Test func testPage_SaysWhatWasDoneAndWhatCameOut() async throws {
    let page = try #require(PageReading(try await page(recording(seconds: 400), ["--artifacts", "malik"])))
    let cells = page.texts("td") + page.texts("th")
    for text in ["malik", "tachogram 0.2.0", "RMSSD", "Ectopic", "up to 5.0 % artifacts", "rr-csv"] {
      #expect(cells.contains { $0.contains(text) }, "\(text)")
    }
    #expect(cells.contains { $0.contains("needs 1200 s of intervals") })
    for heading in page.all("th") { #expect(heading.attributes["scope"] != nil) }
    #expect(page.all("h1").count == 1)
    #expect(page.texts("caption").count == 5)
  }

  @Test func testPage_NeedsNothingElse() async throws {
    let data = try await page(recording(seconds: 400))
    let page = try #require(PageReading(data))
    let names = Set(page.elements.map(\.name))
    #expect(names.isDisjoint(with: ["script", "link", "img", "iframe", "object", "a", "use", "image", "form"]))
    for element in page.elements {
      let attributes = element.attributes.filter { $0.key != "xmlns" }
      #expect(attributes.values.allSatisfy { !$0.contains("://") && !$0.contains("url(") }, "\(element.name)")
      #expect(attributes.keys.allSatisfy { !$0.hasPrefix("on") && $0 != "href" && $0 != "src" })
    }
    let style = try #require(page.texts("style").first)
    #expect(!style.contains("url(") && !style.contains("@import"))
    // What HTML takes as it stands must not be escaped in it.
    #expect(!style.contains { "<>&\"'".contains($0) })
  }

  @Test(arguments: [#"<script>alert(1)</script>"#, #"" onload="x"#, "'&amp;.txt", "a\u{202E}txt.b", "]]>-->"])
  func testName_IsText(name: String) async throws {
    let name = name.replacingOccurrences(of: "/", with: "_")
    let page = try #require(PageReading(try await page(recording(seconds: 120), name: name)))
    #expect(page.all("script").isEmpty)
    #expect(page.texts("h1") == [name.replacingOccurrences(of: "\u{202E}", with: "?")])
  }

  @Test func testSamePage_IsTheSameBytes() async throws {
    let text = recording(seconds: 700)
    #expect(try await page(text) == page(text))
  }

  @Test func testDay_IsBelowHalfAMegabyte() async throws {
    let data = try await page(recording(seconds: 86_400))
    #expect(data.count < 500_000)
    let page = try #require(PageReading(data))
    #expect(page.identifiers("figure") == Self.plots + Self.strips)
    #expect(page.all("path").contains { $0.attributes["class"] == "gap" })
    #expect(page.texts("figcaption").contains { $0.contains("median of ") })
  }

  @Test func testRefusedSegments_AreLeftOutAndSaid() async throws {
    var random = SplitMix64(seed: 5)
    let lines = (0..<2400).map { place in
      let isWild = (800..<1200).contains(place)
      return "\(Int(isWild ? 400 + 900 * random.unit() : 800 + 40 * random.unit()))"
    }
    let page = try #require(PageReading(try await page(lines.joined(separator: "\n"))))
    let strip = try #require(page.all("figure").first { $0.attributes["id"] == "segments-rmssd" })
    #expect(strip.text.contains("segments refused: "))
    #expect(page.all("path").contains { $0.attributes["class"] == "refused" && $0.attributes["d"]?.isEmpty == false })
  }

  @Test(arguments: ["800", "800\n810\n790", Array(repeating: "800", count: 400).joined(separator: "\n")])
  func testLittleToSay_IsAPageToo(text: String) async throws {
    let page = try #require(PageReading(try await page("# rr\n" + text)))
    #expect(page.identifiers("figure").contains("tachogram"))
    #expect(page.texts("td").contains { $0.contains("none: ") })
  }

  @Test func testSession_IsAPageWithItsStrap() async throws {
    let folder = try TemporaryFolder()
    let fixture = try FixtureLocator.capture("lost-notifications")
    let database = folder.path("t.sqlite")
    let replayed = try await Program.run(["replay", fixture, "--format", "json", "--database", database])
    let session = try #require((try replayed.object()["session"] as? [String: Any])?["id"] as? String)
    let written = try await Program.run([
      "analyze", "--session", session, "--format", "html", "-o", folder.path("page.html"), "--database", database,
    ])
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.isEmpty)
    let page = try #require(PageReading(try Data(contentsOf: URL(fileURLWithPath: folder.path("page.html")))))
    #expect(page.texts("th").contains("Strap"))
    #expect(page.all("path").contains { $0.attributes["class"] == "gap" })
  }
}
