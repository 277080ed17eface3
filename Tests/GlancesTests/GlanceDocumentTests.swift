import Foundation
import TachogramCore
import Testing

@testable import Glances

struct GlanceDocumentTests {
  private func object(_ sample: GlanceSample, _ family: GlanceFamily) throws -> [String: Any] {
    let text = try sample.glance.text(family, .json)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func testCurrentReading_HasAllKeys() throws {
    // When
    let object = try object(.current, .small)
    // Then
    let keys = [
      "family", "isConnected", "name", "reading", "state", "statistics", "text", "time", "trend", "utcOffsetSeconds",
    ]
    #expect(object.keys.sorted() == keys)
    #expect(object["state"] as? String == "current")
    #expect(object["time"] as? String == "2026-03-28T16:41:30.000Z")
    #expect(object["utcOffsetSeconds"] as? Int == 3600)
    #expect(object["text"] as? String == "Stress 38 Mild, 72 bpm")
    let reading = try #require(object["reading"] as? [String: Any])
    #expect(
      reading.keys.sorted() == [
        "heartRate", "mood", "rmssd", "sdnn", "stressCategory", "stressConfidence", "stressLevel", "time",
      ])
    #expect(reading["stressCategory"] as? String == "mild")
    #expect(reading["mood"] as? String == "concerned")
    #expect(reading["time"] as? String == "2026-03-28T16:41:29.000Z")
    #expect(abs(try #require(reading["stressLevel"] as? Double) - 38.2) < 1e-9)
    let trend = try #require(object["trend"] as? [String: Any])
    #expect(trend["direction"] as? String == "rising")
    #expect(trend.keys.sorted() == ["change", "direction", "hours"])
    let statistics = try #require(object["statistics"] as? [String: [String: Double]])
    #expect(statistics["heartRate"]?.keys.sorted() == ["average", "maximum", "minimum"])
    #expect(statistics.keys.sorted() == ["heartRate", "stressLevel"])
  }

  @Test func testUnknownValues_AreAbsent() throws {
    let object = try object(.noReading, .circular)
    #expect(object.keys.sorted() == ["family", "isConnected", "name", "state", "text", "time", "utcOffsetSeconds"])
    let reading = try #require(try self.object(.heartRateOnly, .circular)["reading"] as? [String: Any])
    #expect(reading.keys.sorted() == ["heartRate", "rmssd", "sdnn", "time"])
    for sample in GlanceSample.allCases {
      for family in GlanceFamily.allCases {
        let text = try sample.glance.text(family, .json)
        #expect(!text.contains("null") && !text.contains("nan") && text.hasSuffix("}\n"))
      }
    }
  }

  @Test func testPoints_AreThoseOfTheFamily() throws {
    // When
    let (medium, large) = (try object(.moderate, .medium), try object(.moderate, .large))
    // Then: 26 of 288 places are gaps, none in the last six hours.
    let points = try #require(large["points"] as? [[String: Any]])
    #expect(points.count == 262)
    #expect((medium["points"] as? [Any])?.count == 72)
    #expect(try object(.moderate, .small)["points"] == nil)
    #expect(points.first?["time"] as? String == "2026-03-27T16:45:00.000Z")
    #expect(points.last?["time"] as? String == "2026-03-28T16:40:00.000Z")
    #expect(points[0].keys.sorted() == ["heartRate", "stressLevel", "time"])
    #expect(try #require(try object(.heartRateOnly, .large)["points"] as? [[String: Any]])[0]["stressLevel"] == nil)
  }

  @Test(arguments: GlancePictureTests.names) func testAnyName_IsValidJSON(_ name: String) throws {
    let content = GlanceContent(
      name: name, reading: nil, isConnected: true, points: [], time: GlanceSample.now, clock: GlanceSample.clock)
    let text = try Glance(content).text(.inline, .json)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["name"] as? String == GlanceName(name)?.text)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && ChosenName.isDangerous($0) })
  }
}
