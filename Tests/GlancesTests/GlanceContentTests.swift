import StressKit
import TachogramCore
import Testing

@testable import Glances

struct GlanceContentTests {
  private func state(_ reading: GlanceReading?, isConnected: Bool = true) -> GlanceState {
    GlanceContent(
      name: nil, reading: reading, isConnected: isConnected, points: [], time: GlanceSample.now,
      clock: GlanceSample.clock
    ).state
  }

  @Test func testState_IsCurrentOnlyIfAllSayIt() {
    #expect(state(nil) == .noReading)
    #expect(state(GlanceSample.reading(38)) == .current)
    #expect(state(GlanceSample.reading(38, isCurrent: false)) == .stale)
    #expect(state(GlanceSample.reading(38), isConnected: false) == .stale)
    #expect(state(GlanceSample.reading(38, secondsAgo: 300)) == .current)
    #expect(state(GlanceSample.reading(38, secondsAgo: 301)) == .stale)
  }

  @Test func testReadingWithoutValues_IsNone() {
    #expect(state(GlanceReading(time: GlanceSample.now, heartRate: 0, rmssd: 40, isCurrent: true)) == .noReading)
    #expect(state(GlanceReading(time: GlanceSample.now, heartRate: .nan, isCurrent: true)) == .noReading)
  }

  @Test func testStress_IsClampedToItsScale() throws {
    let high = try #require(GlanceStress(level: 120, confidence: 3))
    #expect(high.level == 100 && high.confidence == 1 && high.category == .high)
    #expect(GlanceStress(level: -3, confidence: -1)?.level == 0)
    #expect(GlanceStress(level: 50, confidence: .nan) == nil)
    #expect(GlanceStress(level: 49.9, confidence: 1)?.category == .mild)
  }

  @Test func testRawValues_AreThoseOfTheAddress() {
    #expect(GlanceFamily.allCases.map(\.rawValue) == ["small", "medium", "large", "circular", "rectangular", "inline"])
    #expect(GlanceForm.allCases.map(\.rawValue) == ["svg", "json", "txt"])
    #expect(GlanceLook.allCases.map(\.rawValue) == ["light", "dark", "auto", "e-ink"])
  }
}
