import TachogramCore
import Testing

@testable import Glances

struct GlanceTextTests {
  private static let lineCounts: [GlanceFamily: Int] = [
    .small: 1, .circular: 1, .inline: 1, .medium: 2, .rectangular: 2, .large: 3,
  ]

  private func lines(_ sample: GlanceSample, _ family: GlanceFamily) throws -> [String] {
    try sample.glance.text(family, .txt).split(separator: "\n").map(String.init)
  }

  @Test func testCurrentReading_IsOneLine() throws {
    #expect(try lines(.current, .inline) == ["Stress 38 Mild, 72 bpm"])
    #expect(try lines(.current, .circular) == ["38 Mild"])
    #expect(try lines(.current, .small) == ["Stress 38 Mild, 72 bpm - Anna"])
  }

  @Test func testLargerFamilies_HaveTwoOrThreeLines() throws {
    // When
    let (rectangular, medium) = (try lines(.current, .rectangular), try lines(.current, .medium))
    let large = try lines(.current, .large)
    // Then
    #expect(rectangular.count == 2 && medium.count == 2 && large.count == 3)
    #expect(medium[1].hasPrefix("RMSSD 42 ms, SDNN 55 ms, 6-hour trend rising (+"))
    #expect(
      large[2].wholeMatch(of: /Last 24 h: stress \d+ to \d+, average \d+; heart rate 44 to 88, average \d+ bpm/) != nil)
  }

  @Test func testStaleReading_BeginsWithThat() throws {
    for family in GlanceFamily.allCases {
      #expect(try lines(.stale, family)[0].hasPrefix("Stale since 15:40: "))
      #expect(try lines(.disconnected, family)[0].hasPrefix("Not connected, stale since 15:40: "))
    }
  }

  @Test func testMissingValues_AreNamed() throws {
    #expect(try lines(.noReading, .inline) == ["No reading yet"])
    #expect(try lines(.notConnected, .inline) == ["Not connected, no reading yet"])
    #expect(try lines(.heartRateOnly, .circular) == ["72 bpm, no stress level yet"])
    #expect(try lines(.noReading, .large) == ["No reading yet - Anna", "No 6-hour trend yet", "Last 24 h: no values"])
  }

  /// A radio must not be able to run a command through a status bar, which tmux, polybar, conky and others allow.
  @Test(arguments: [
    "#(reboot)", "%{A1:reboot:}x%{A}", "${exec reboot}", "^ca(1,reboot)x^ca()", "<span>x</span>", "a|bash=reboot",
    "`x`",
    "\u{1B}]0;x\u{7}", "a\nb", "\u{202E}abc", "👍🏽 ok ❤️", "★☂", "R&B \"x\" \\n",
  ])
  func testNames_ContainNothingThatBarsInterpret(_ name: String) throws {
    let content = GlanceContent(
      name: name, reading: GlanceSample.reading(38), isConnected: true, points: [], time: GlanceSample.now,
      clock: GlanceSample.clock)
    for family in GlanceFamily.allCases {
      let text = try Glance(content).text(family, .txt)
      #expect(text.hasSuffix("\n"))
      #expect(text.filter { $0 == "\n" }.count == Self.lineCounts[family])
      let harmless = text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0 == " " || "+-.,:;()/_'".unicodeScalars.contains($0) || $0.properties.isAlphabetic
          || ("0"..."9").contains($0)
      }
      #expect(harmless, "\(text)")
    }
  }
}
