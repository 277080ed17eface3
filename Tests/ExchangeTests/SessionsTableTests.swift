import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

@Suite("Sessions of a range of time")
struct SessionsTableTests {
  private func row(label: String?, note: String?) -> String {
    let session = SessionDescription(
      id: "00000001-aaaa-8bbb-9ccc-ddddeeeeffff",
      strap: StrapIdentity(address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random)), origin: .live,
      person: "Anna", label: label, start: WallTime(microseconds: 0), monotonicStart: MonotonicTime(microseconds: 0))
    let record = SessionRecord(
      description: session, note: note, end: WallTime(microseconds: 1_000_000), isComplete: true, entryCount: 1,
      beatCount: 2, gapCount: 0)
    var means = SessionSummary.Means()
    (means.meanHeartRate, means.rmssd) = (60.128, 41)
    return SessionsTable.row(SessionSummary(record: record, means: means), file: "a.csv")
  }

  @Test func testRow_HasTheColumnsOfTheHeading() {
    let found = row(label: "night", note: nil)
    #expect(
      found == "00000001-aaaa-8bbb-9ccc-ddddeeeeffff,1970-01-01T00:00:00.000Z,1970-01-01T00:00:01.000Z,Anna,night,"
        + "C8:DE:AD:BE:EF:01,2,0,60.13,,41.0,,,a.csv\n")
    #expect(
      found.split(separator: ",", omittingEmptySubsequences: false).count
        == SessionsTable.heading.split(separator: ",").count)
  }

  @Test(arguments: [
    ("a,b", "\"a,b\""), ("a\nb", "\"a\nb\""), ("say \"no\"", "\"say \"\"no\"\"\""), ("=1+1", "'=1+1"),
    ("@SUM(A1)", "'@SUM(A1)"), ("-1", "-1"), ("-x", "'-x"), ("+A1,B1", "\"'+A1,B1\""),
  ])
  func testText_IsQuotedAndNoFormula(text: String, cell: String) {
    #expect(row(label: nil, note: text).hasSuffix(",\(cell),a.csv\n"))
  }

  // MARK: - On the command line

  @Test func testZipOfARange_HoldsItsSessionsAlone() async throws {
    let folder = try TemporaryFolder()
    let database = folder.url.path + "/t.sqlite"
    for name in ["rest", "exercise"] {
      let capture = try FixtureLocator.capture(name)
      try #require(try await Program.run(["replay", capture, "--database", database, "--person", name]).status == 0)
    }
    func export(_ arguments: String...) async throws -> Program.Result {
      try await Program.run(["export", "--format", "csv", "--database", database] + arguments)
    }
    let zip = folder.url.path + "/all.zip"
    #expect(try await export("--everything", "--output", zip).status == 0)
    let names = String(decoding: try Data(contentsOf: URL(fileURLWithPath: zip)), as: UTF8.self)
    #expect(names.contains("sessions.csv"))
    #expect(try await export("--everything", "--output", zip).status == 2)
    #expect(try await export("--person", "nobody", "--output", folder.url.path + "/none.zip").status == 1)
    #expect(
      try await export("--everything", "--to", "2001-01-01T00:00:00Z", "--output", folder.url.path + "/old.zip").status
        == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/old.zip"))
    #expect(
      try await export(
        "--everything", "--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z", "--output", zip
      ).status == 2)
    let session = try #require(try await Program.sessions(in: database).first?["id"] as? String)
    #expect(try await export(session, "--from", "2026-01-01T00:00:00Z").status == 2)
    // A folder takes a range as well.
    let some = folder.url.path + "/some"
    #expect(try await export("--person", "rest", "--from", "2020-01-01T00:00:00Z", "--output", some).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: some).count == 1)
  }
}
