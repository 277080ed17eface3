import CommandProcess
import Foundation
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

@Suite("Imports of Apple Health")
struct AppleHealthImportTests {
  private static let head = "<?xml version=\"1.0\"?>\n<HealthData locale=\"de_DE\">\n"
  private static let tail = "</HealthData>\n"

  private let folder: TemporaryFolder
  private let database: TachogramDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try TachogramDatabase.inMemory()
  }

  private func record(
    _ value: String, _ start: String, _ end: String, source: String = "Watch", day: Int = 29
  ) -> String {
    "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"\(source)\" startDate=\"2026-03-\(day) \(start) +0200\" "
      + "endDate=\"2026-03-\(day) \(end) +0200\" value=\"HKCategoryValueSleepAnalysis\(value)\"/>\n"
  }

  private func run(_ xml: String) throws -> [ImportedNightFile] {
    let path = folder.path("export.xml")
    try Data(xml.utf8).write(to: URL(fileURLWithPath: path))
    var importer = try NightImporter(database: database, person: "Anna", start: nil)
    return try importer.importFile(path)
  }

  private func document(_ records: [String]) -> String { Self.head + records.joined() + Self.tail }

  private func stages(of session: String) throws -> [SleepStage] {
    try SleepRepository(database: database).night(of: session)?.staging?.stages ?? []
  }

  @Test func testRecords_MakeNightsOfEachSource() throws {
    let found = try run(
      document([
        record("InBed", "00:00:00", "00:03:00"), record("AsleepCore", "00:00:30", "00:01:00"),
        record("AsleepDeep", "00:01:00", "00:01:30"), record("AsleepREM", "00:01:30", "00:02:00"),
        record("Awake", "00:02:00", "00:02:30"), record("AsleepCore", "00:00:30", "00:01:00"),
        record("Asleep", "00:00:00", "00:01:00", source: "Anna&#x2019;s &quot;Phone&quot;"),
        record("AsleepUnspecified", "22:00:00", "22:01:00"),
      ]))
    #expect(found.map(\.source) == ["Anna’s \"Phone\"", "Watch", "Watch"])
    #expect(try stages(of: found[0].session) == [.asleep, .asleep])
    #expect(try stages(of: found[1].session) == [.unknown, .light, .deep, .rem, .wake, .unknown])
    #expect(try stages(of: found[2].session) == [.asleep, .asleep])
    let record = try SessionRepository(database: database).session(matching: found[0].session)
    #expect(record.description.label == "Anna’s \"Phone\"" && record.description.person == "Anna")
  }

  @Test func testSecondImport_ChangesNothing() throws {
    let xml = document([record("AsleepCore", "00:00:10", "00:10:05"), record("Awake", "00:10:05", "00:12:00")])
    #expect(try run(xml).map(\.outcome) == [.new])
    #expect(try run(xml).map(\.outcome) == [.known])
    #expect(try SessionRepository(database: database).sessions().count == 1)
  }

  @Test func testOwnExport_HasTheSameStages() throws {
    let fixture = try NightFixture(beats: 90)
    try fixture.store([.wake, .light, .deep, .rem, .asleep, .unknown, .wake])
    let found = try run(try fixture.text(.appleHealth))
    #expect(found.count == 1)
    #expect(try stages(of: found[0].session) == [.wake, .light, .deep, .rem, .asleep, .unknown, .wake])
  }

  /// As of programs that write the whole night as asleep, and its stages; and of such that contradict themselves.
  @Test func testOverlappingRecords_AreNoGuess() throws {
    let found = try run(
      document([
        record("AsleepUnspecified", "00:00:00", "00:02:30"), record("AsleepDeep", "00:00:30", "00:01:00"),
        record("AsleepREM", "00:01:00", "00:01:30"), record("AsleepDeep", "00:01:00", "00:01:30"),
        record("AsleepREM", "00:01:30", "00:02:00"), record("Awake", "00:01:30", "00:02:00"),
      ]))
    #expect(try stages(of: found[0].session) == [.asleep, .deep, .asleep, .unknown, .asleep])
    #expect(found[0].contradictoryEpochs == 2)
  }

  @Test func testRecordsOfWhichNothingCanBeMade_ArePassedOver() throws {
    let bad = [
      record("Awake", "00:10:00", "00:09:00"), record("Snoring", "00:00:00", "00:01:00"),
      record("Awake", "x", "00:01:00"),
    ]
    let found = try run(document(bad + [record("AsleepDeep", "00:00:00", "00:00:30")]))
    #expect(found.count == 1)
    let failure = #expect(throws: CommandFailure.self) { try run(document(bad)) }
    #expect(failure?.message.contains("export.xml: line 3, byte ") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.hasSuffix("the end is not after the start") == true)
  }

  // MARK: - XML

  private static let one = """
    <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="W" startDate="2026-03-29 00:00:00 +0200"
      endDate="2026-03-29 00:01:00 +0200" value="HKCategoryValueSleepAnalysisAwake"/>
    """

  @Test(arguments: [
    "<HealthData>\(one)</HealthData>",
    "\u{FEFF}<?xml version='1.0'?><!-- <Record> > --><HealthData a='>'>\(one)<Me x=\"/>\"/></HealthData><!-- -->",
    "<HealthData><Workout><a>text > text</a></Workout><![CDATA[<Record]]>\(one.replacing("/>", with: "><MetadataEntry key='a' value='b'/></Record>"))</HealthData>",
    "<!DOCTYPE HealthData [\n<!-- it's > ]> -->\n<!ELEMENT HealthData (ExportDate,(Record)*)>\n<!ATTLIST Record a CDATA \"]>\">\n]>\n<HealthData>\(one)</HealthData>",
    "<HealthData>\(one.replacing("sourceName=\"W\"", with: "sourceName = 'W'\t"))</HealthData>",
  ])
  func testWellFormedDocument_IsRead(xml: String) throws {
    #expect(try run(xml).map(\.unknownEpochs) == [0])
  }

  @Test(arguments: [
    ("<HealthData>\(one)", "the file ends before"), ("<HealthData>\(one.dropLast(5))", "the file ends before"),
    ("<HealthData><!-- ", "the file ends before"), ("<HealthData", "the file ends before"),
    ("<html><Record/></html>", "line 1, byte 1: the document is no export of Apple Health"),
    ("<HealthData>\(one)</HealthData></HealthData>", "not well-formed"),
    ("<HealthData><a <b></HealthData>", "not well-formed"),
    ("<HealthData></HealthData>\(one)", "not well-formed"), ("< HealthData>", "not well-formed"),
    ("<HealthData>\(one.replacing("\"W\"", with: "W"))</HealthData>", "line 1, byte 13: this is not well-formed"),
    ("<HealthData>\(one.replacing("\"W\"", with: "\"&b;\""))</HealthData>", "unknown entity"),
    ("<HealthData>\(one.replacing("\"W\"", with: "\"&#xFFFFFFFFF;\""))</HealthData>", "unknown entity"),
    ("<HealthData>\(one.replacing("value=", with: "type="))</HealthData>", "not well-formed"),
    (
      "<!DOCTYPE HealthData [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<HealthData>\(one)</HealthData>",
      "declares entities"
    ),
    ("<!DOCTYPE HealthData [", "the file ends before"), ("<HealthData></HealthData>", "there is no night"),
    ("<!-- -->", "no export of Apple Health"),
    ("<HealthData><x a=\"\(String(repeating: "a", count: 1 << 20))\"/>", "1 MiB"),
  ])
  func testDamagedDocument_IsRefusedWithItsPlace(xml: String, words: String) throws {
    let failure = #expect(throws: CommandFailure.self) { try run(xml) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.code == .badInput)
    #expect(try SessionRepository(database: database).sessions().isEmpty)
  }

  /// Tags lie across the pieces in which a file is read.
  @Test func testLargeDocument_IsReadInPieces() throws {
    var xml = Self.head
    var expected = 0
    for number in 0..<12_000 {
      xml += "<Record type=\"HKQuantityTypeIdentifierHeartRate\" unit=\"count/min\" value=\"\(number)\"/>\n"
      if number.isMultiple(of: 100) {
        xml += record("Awake", "00:00:00", "00:01:00", source: "W\(number)")
        expected += 1
      }
    }
    #expect(try run(xml + Self.tail).count == expected)
  }
}
