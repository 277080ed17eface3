import CommandProcess
import TachogramCore
import Testing

@testable import Exchange

@Suite("Nights as EDF+")
struct EDFNightTests {
  private typealias Annotation = EDFReading.Annotation

  @Test func testHypnogram_HasStandardTextsInLocalTime() throws {
    let fixture = try NightFixture(person: "Anna Ä Müller")
    try fixture.store([.wake, .light, .light, .deep, .rem, .nrem, .asleep, .unknown])
    let edf = try EDFReading(fixture.export(.edf))
    #expect(edf.kind == "EDF+C" && edf.recordSeconds == 0 && edf.onsets == [0])
    #expect(edf.start == "29.03.2600.10.00")
    #expect(edf.recording == "Startdate 29-MAR-2026 X X Tachogram")
    #expect(edf.patient == "X X X Anna___M_ller")
    #expect(
      edf.annotations == [
        Annotation(onset: 0, duration: nil, texts: ["Lights off"]),
        Annotation(onset: 0, duration: 30, texts: ["Sleep stage W"]),
        Annotation(onset: 30, duration: 60, texts: ["Sleep stage N", "light sleep"]),
        Annotation(onset: 90, duration: 30, texts: ["Sleep stage N3"]),
        Annotation(onset: 120, duration: 30, texts: ["Sleep stage R"]),
        Annotation(onset: 150, duration: 30, texts: ["Sleep stage N"]),
        Annotation(onset: 180, duration: 30, texts: ["Sleep stage ?", "asleep"]),
        Annotation(onset: 210, duration: 30, texts: ["Sleep stage ?"]),
        Annotation(onset: 240, duration: nil, texts: ["Lights on"]),
      ])
  }

  /// A week of changes does not fit into one data record.
  @Test func testLongNight_HasSeveralRecords() throws {
    let fixture = try NightFixture()
    try fixture.store((0..<20_160).map { $0.isMultiple(of: 2) ? .light : .wake })
    let edf = try EDFReading(fixture.export(.edf))
    #expect(edf.onsets.count > 1 && edf.onsets.allSatisfy { $0 == 0 })
    #expect(2 * edf.sizes[0] <= 61_440)
    #expect(edf.annotations.count == 20_162)
    #expect(edf.annotations.dropLast().last?.onset == Double(20_159 * 30))
  }
}
