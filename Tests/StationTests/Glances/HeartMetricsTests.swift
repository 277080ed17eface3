import Dashboard
import Foundation
import StressKit
import TachogramCore
import Testing

@testable import Station

@Suite("Heart values in the metrics")
struct HeartMetricsTests {
  private static func reading(_ strap: Int, _ name: String, isCurrent: Bool = true) -> API.Reading {
    let link = API.Link(LinkState(phase: .live, since: MonotonicTime(microseconds: 0)), text: "")
    var reading = API.Reading(
      strap: strap, name: name, link: link, isCurrent: isCurrent, contact: .detected, notifications: 5, gaps: 0,
      beats: [])
    reading.address = "C8:DE:AD:BE:EF:01"
    (reading.heartRate, reading.batteryPercent) = (61, 80)
    var values = HRVValues()
    (values.sdnn, values.rmssd) = (55.25, 42.5)
    let window = HRVWindow(
      length: .fiveMinutes, end: MonotonicTime(microseconds: 0), coverage: 1, artifactShare: 0,
      metrics: TimeDomainMetrics(count: 300, pairCount: 299, duration: 300_000, values: values))
    reading.fiveMinutes = API.Window(window, end: WallTime(microseconds: 0))
    return reading
  }

  private static func text(_ readings: [API.Reading], includesHeart: Bool = true) -> String {
    Metric.text(
      StationMetrics(
        facts: StationFacts(version: "1", started: WallTime(microseconds: 0), isReplay: false),
        live: API.Live(time: WallTime(microseconds: 0), readings: readings),
        feed: EventFeed(started: WallTime(microseconds: 0)).counts, watched: Maintenance.Watched(),
        isStorageFailing: false, lastSnapshot: nil, databaseBytes: 1, includesHeart: includesHeart
      ).metrics)
  }

  /// The names of the families of heart values.
  private static let families = [
    "tachogram_heart_rate_bpm", "tachogram_rmssd_ms", "tachogram_sdnn_ms", "tachogram_stress_level",
    "tachogram_strap_contact",
  ]

  @Test func testHeartValues_AreThereOnlyIfTheyAreWanted() {
    let with = Self.text([Self.reading(0, "Annas \"belt\" \\ 1")])
    let labels = #"{strap="0",name="Annas \"belt\" \\ 1"}"#
    for (family, value) in [
      ("heart_rate_bpm", "61"), ("rmssd_ms", "42.5"), ("sdnn_ms", "55.25"), ("strap_contact", "1"),
    ] {
      #expect(with.contains("\ntachogram_\(family)\(labels) \(value)\n"), "\(with)")
    }
    #expect(with.contains("\ntachogram_strap_battery_percent{strap=\"0\"} 80\n"))
    let without = Self.text([Self.reading(0, "Annas belt")], includesHeart: false)
    for family in Self.families { #expect(!without.contains(family)) }
    #expect(!without.contains("belt"))
  }

  @Test func testStaleStrap_HasNoHeartValues() {
    let text = Self.text([Self.reading(0, "A", isCurrent: false), Self.reading(1, "B")])
    #expect(!text.contains("name=\"A\"") && text.contains("tachogram_heart_rate_bpm{strap=\"1\",name=\"B\"} 61\n"))
  }

  @Test func testStrapWithoutAName_IsToldWithoutItsAddress() {
    let text = Self.text([Self.reading(0, "C8:DE:AD:BE:EF:01")])
    #expect(text.contains("tachogram_heart_rate_bpm{strap=\"0\",name=\"…:01\"} 61\n"), "\(text)")
    #expect(!text.contains("C8:DE"))
  }

  /// As the specification of OpenMetrics 1.0 has it: each family once, with its type before its samples, sample names that belong to
  /// it, distinct labels, and the end.
  @Test func testText_IsOpenMetrics() throws {
    let lines = Self.text([Self.reading(0, "A\nB"), Self.reading(1, "A\nB")]).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.suffix(2) == ["# EOF", ""])
    var (family, kind, families, series) = ("", "", Set<String>(), Set<String>())
    for line in lines.dropLast(2) {
      if let type = line.wholeMatch(of: #/# TYPE ([a-z_]+) (gauge|counter)/#) {
        (family, kind) = (String(type.1), String(type.2))
        #expect(families.insert(family).inserted, "\(family)")
      } else if line.hasPrefix("#") {
        #expect(line.hasPrefix("# HELP \(family) "))
      } else {
        let sample = try #require(
          line.wholeMatch(
            of: #/([a-z_]+)(\{[a-z]+="(?:[^"\\]|\\["n\\])*"(?:,[a-z]+="(?:[^"\\]|\\["n\\])*")*\})? ([0-9.e+-]+)/#),
          "\(line)")
        #expect(sample.1 == family + (kind == "counter" ? "_total" : ""))
        #expect(series.insert("\(sample.1)\(sample.2 ?? "")").inserted, "\(line)")
        #expect(Double(sample.3) != nil)
      }
    }
    #expect(families.isSuperset(of: Self.families))
  }
}
