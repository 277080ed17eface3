import Foundation
import TachogramCore
import Testing

@testable import Glances

struct GlancePictureTests {
  /// Names that a radio may send.
  static let names = [
    "", "Anna", "<script>alert(1)</script>", "\"><image href='x'/>&amp;", "]]></style>",
    "a\u{0}b\u{1B}[31m\u{7}\r\n\tc",
    "\u{202E}gnirts\u{2066}", "שרה כהן", "محمد بن عبد الله", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    String(repeating: "W", count: 400), String(repeating: "漢字", count: 60), String(repeating: "👩‍👩‍👧‍👦", count: 20),
    "\u{FFFE}\u{FFFF}\u{FDFD}\u{FDFD}\u{FDFD}\u{FDFD}", "\u{200B}\u{2800}\u{3164}", "url(#pattern) {} ; */ @media",
  ]

  /// Contents whose texts are as long as they can be.
  static let longContents: [GlanceContent] = {
    var contents: [GlanceContent] = []
    for level in [60.0, 100, 0] {
      for age: Int64 in [0, 200_000, 40_000_000] {
        for isConnected in [true, false] {
          for name in ["Anna-Katharina Mustermann-Schmidt", nil] {
            for stress in [GlanceStress(level: level, confidence: 1), nil] {
              let reading = GlanceReading(
                time: GlanceSample.ago(age), heartRate: 388, stress: stress, rmssd: 888, sdnn: 888, isCurrent: true)
              contents.append(
                GlanceContent(
                  name: name, reading: reading, isConnected: isConnected,
                  points: GlanceSample.points(hasStress: level > 0), time: GlanceSample.now, clock: GlanceSample.clock))
            }
          }
        }
      }
    }
    return contents
  }()

  private func hostile(_ name: String) -> GlanceContent {
    GlanceContent(
      name: name, reading: GlanceSample.reading(64), isConnected: true, points: GlanceSample.points(),
      time: GlanceSample.now, clock: GlanceSample.clock)
  }

  // MARK: - Safety

  @Test(arguments: names) func testAnyName_StaysText(_ name: String) throws {
    for family in GlanceFamily.allCases {
      for look in GlanceLook.allCases {
        // When
        let text = Glance(hostile(name)).svg(family, look: look)
        let picture = PictureReading(text)
        let plain = PictureReading(Glance(hostile("Anna")).svg(family, look: look))
        // Then
        #expect(picture.isWellFormed)
        // Without a visible name, only its text is missing, and in some families the word "Stress" is in its place.
        let missing = plain.all("svg").count - picture.all("svg").count
        #expect((0...1).contains(missing) && (missing == 0) == (GlanceName(name) != nil || plain.all("svg").count == 1))
        #expect((plain.all("text").count - missing...plain.all("text").count).contains(picture.all("text").count))
        #expect(!picture.elements.contains { ["script", "image", "a", "use", "foreignObject"].contains($0.name) })
        #expect(
          !picture.elements.contains { $0.attributes.keys.contains { $0.hasPrefix("on") || $0.contains("href") } })
        #expect(!text.unicodeScalars.contains { $0 != "\n" && ChosenName.isDangerous($0) })
      }
    }
  }

  @Test func testPictures_LoadNothing() {
    for family in GlanceFamily.allCases {
      let text = GlanceSample.current.glance.svg(family, look: .auto)
      #expect(text.matches(of: /https?:/).count == 1, "only the namespace")
      #expect(text.matches(of: /url\(/).count == text.matches(of: /url\(#/).count)
      #expect(!text.contains("@import") && !text.contains("@font-face"))
    }
  }

  @Test func testPictures_AreSmall() {
    for sample in GlanceSample.allCases {
      for look in GlanceLook.allCases {
        for family in GlanceFamily.allCases where family != .large && family != .medium {
          #expect(sample.glance.svg(family, look: look).utf8.count <= 4096, "\(family) \(sample)")
        }
        #expect(sample.glance.svg(.medium, look: look).utf8.count <= 10_000)
        #expect(sample.glance.svg(.large, look: look).utf8.count <= 30_000)
      }
    }
  }

  // MARK: - Accessibility

  @Test(arguments: GlanceFamily.allCases) func testPicture_HasRoleTitleAndDescription(family: GlanceFamily) throws {
    // When
    let picture = PictureReading(GlanceSample.stale.glance.svg(family, look: .light))
    // Then
    let root = try #require(picture.elements.first)
    #expect(root.attributes["role"] == "img")
    #expect(root.attributes["aria-labelledby"] == "title desc")
    #expect(root.attributes["viewBox"] == "0 0 \(Int(family.width)) \(Int(family.height))")
    #expect(picture.all("title").map(\.text) == ["Stress of Anna"])
    let description = try #require(picture.all("desc").first?.text)
    #expect(description.hasPrefix("Stale since 15:40. Stress level 49 out of 100, mild stress. Confidence 84 %."))
    #expect(description.contains("Heart rate 72 bpm."))
  }

  // MARK: - Layout

  @Test(arguments: GlanceFamily.allCases) func testTextsAndIcons_AreApartAndInside(family: GlanceFamily) {
    for content in GlanceSample.allCases.map(\.content) + Self.longContents + Self.names.map(hostile) {
      // When
      let picture = PictureReading(Glance(content).svg(family, look: .light))
      let boxes = picture.elements.compactMap { element in element.box.map { (element, $0) } }
      // Then
      #expect(!boxes.isEmpty)
      let card = CGRect(x: 0, y: 0, width: family.width, height: family.height).insetBy(dx: 6, dy: 4)
      for (index, (element, box)) in boxes.enumerated() {
        #expect(card.contains(box), "\(element.text) \(box) \(content.state)")
        for (other, otherBox) in boxes[..<index] {
          #expect(!box.insetBy(dx: 0.3, dy: 0.3).intersects(otherBox), "\(element.text) and \(other.text), \(content)")
        }
      }
    }
  }

  @Test(arguments: [
    (GlanceFamily.small, 85.0, 84.0, 39.0), (.medium, 66, 98, 40), (.large, 67, 92, 40), (.circular, 60, 60, 46),
  ])
  func testTextsInTheRing_AreInsideIt(family: GlanceFamily, x: Double, y: Double, radius: Double) {
    for content in GlanceSample.allCases.map(\.content) + Self.longContents {
      let picture = PictureReading(Glance(content).svg(family, look: .light))
      let boxes = picture.elements.compactMap(\.box).filter { hypot($0.midX - x, $0.midY - y) < radius }
      #expect(!boxes.isEmpty)
      for box in boxes {
        for corner in [(box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY)] {
          #expect(hypot(corner.0 - x, corner.1 - y) <= radius, "\(box) \(content)")
        }
      }
    }
  }

  // MARK: - States

  @Test(arguments: GlanceFamily.allCases) func testStaleReading_IsNotShownAsCurrent(family: GlanceFamily) {
    for sample in [GlanceSample.stale, .disconnected] {
      let picture = PictureReading(sample.glance.svg(family, look: .light))
      let shown = picture.texts.joined(separator: " ")
      #expect(shown.contains("stale") && shown.contains("15:40"), "\(shown)")
      #expect(!shown.contains("as of"))
      // No value is in the style of current ones, and the arc is dashed.
      let values = picture.all("text").filter { $0.text.contains(/\b(49|64|72|42|55)\b/) && $0.number("y") < 160 }
      for text in values where !text.text.contains("stale") {
        #expect(text.classes.contains("muted"), "\(text.text)")
      }
      #expect(!picture.elements.contains { $0.classes.contains("heart") })
      for shape in picture.elements where shape.classes.contains("edge") {
        #expect(shape.attributes["stroke-dasharray"] != nil)
      }
      #expect(picture.all("stop").isEmpty)
    }
  }

  @Test(arguments: GlanceFamily.allCases) func testStrapWithoutConnection_IsShownAsSuch(family: GlanceFamily) {
    for sample in [GlanceSample.disconnected, .notConnected] {
      let shown = PictureReading(sample.glance.svg(family, look: .dark)).texts.joined(separator: " ").lowercased()
      #expect(shown.contains("not connected"), "\(shown)")
    }
  }

  @Test(arguments: GlanceFamily.allCases) func testNoReading_IsShownAsSuch(family: GlanceFamily) {
    let picture = PictureReading(GlanceSample.noReading.glance.svg(family, look: .auto))
    #expect(picture.texts.joined(separator: " ").contains("No reading yet"))
    #expect(!picture.elements.contains { $0.classes.contains("edge") })
  }

  @Test(arguments: GlanceFamily.allCases) func testHeartRateWithoutLevel_IsShownWithoutArc(family: GlanceFamily) {
    let picture = PictureReading(GlanceSample.heartRateOnly.glance.svg(family, look: .light))
    let shown = picture.texts.joined(separator: " ").lowercased()
    #expect(shown.contains("72"))
    #expect(shown.contains("level yet") || shown.contains("none yet"), "\(shown)")
    #expect(!picture.elements.contains { $0.classes.contains("edge") })
  }

  // MARK: - Charts

  @Test func testGaps_AreNotBridged() throws {
    // Given: a run, a gap, a single point, a gap of one place, a run.
    let values: [Double?] = [10, 20, nil, nil, 30, nil, 40, 50, 60]
    let plot = GlancePlot(left: 0, right: 90, top: 0, bottom: 100, values: values, low: 0, high: 100)
    // When
    let line = try #require(plot.line("stress", hasArea: true).last)
    var text = ""
    line.write(to: &text)
    // Then
    #expect(text.contains("d=\"M5 90L15 80M45 70h0M65 60L75 50L85 40\""), "\(text)")
  }

  @Test func testChart_HasTheRunsOfThePoints() throws {
    // 288 places with two gaps, of which the second contains no single point.
    let picture = PictureReading(GlanceSample.moderate.glance.svg(.large, look: .light))
    for style in ["stress", "rate"] {
      let path = try #require(picture.all("path").first { $0.classes.contains(style) }?.attributes["d"])
      #expect(path.filter { $0 == "M" }.count == 3)
      #expect(path.filter { $0 == "L" }.count == 288 - 12 - 14 - 3)
    }
    let medium = PictureReading(GlanceSample.moderate.glance.svg(.medium, look: .light))
    let path = try #require(medium.all("path").first { $0.classes.contains("stress") }?.attributes["d"])
    #expect(path.filter { $0 == "L" }.count == 71)
  }

  @Test(arguments: [0.0, 0.4, 2, 25, 50, 75, 99.4, 99.6, 100]) func testRing_HasAnArcForEveryLevel(level: Double) throws
  {
    let content = GlanceContent(
      name: nil, reading: GlanceSample.reading(level), isConnected: true, points: [], time: GlanceSample.now,
      clock: GlanceSample.clock)
    let picture = PictureReading(Glance(content).svg(.small, look: .light))
    let arc = try #require(picture.elements.first { $0.classes.contains("edge") }?.attributes["d"])
    let isWholeOrDisc = arc.filter { $0 == "M" }.count == (level >= 99.5 ? 2 : 1)
    #expect(isWholeOrDisc && arc.hasSuffix("Z"))
    #expect(arc.contains(level > 55 && level < 99.5 ? " 0 1 1 " : " 0 0 1 "))
  }
}
