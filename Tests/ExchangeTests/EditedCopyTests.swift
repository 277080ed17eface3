import Foundation
import Recording
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

/// A recording is itself in another edition: rounded, corrected, or said to have begun at another time.
struct EditedCopyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// In milliseconds, of a rhythm that does not repeat itself.
  private static func intervals(_ count: Int = 1500, seed: UInt64 = 1) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in 801 + Int(random.next() % 200) }
  }

  struct Edition: Sendable, CustomTestStringConvertible {
    let name: String
    var start = "2026-03-29T07:00:00Z"
    /// What an interval is in the edition, with its position.
    var edit: @Sendable (Int, Int) -> String = { "\($1)" }
    var said: String?

    var testDescription: String { name }
  }

  /// Whether a beat is one of those drawn, `percent` of all.
  private static func isDrawn(_ place: Int, _ percent: UInt64) -> Bool {
    var random = SplitMix64(seed: UInt64(place) &* 2_654_435_761 &+ 17)
    return random.next() % 100 < percent
  }

  static let copies = [
    Edition(name: "rounded to 10 ms", edit: { "\(($1 + 5) / 10 * 10)" }),
    Edition(name: "cut to 10 ms", edit: { "\($1 / 10 * 10)" }),
    Edition(name: "seconds with two decimals", edit: { String(format: "%.2f", Double($1) / 1000) }),
    Edition(name: "cut to 4 ms", edit: { "\($1 / 4 * 4)" }),
    Edition(name: "62 s later", start: "2026-03-29T07:01:02Z", said: "though it has them 62 s"),
    Edition(name: "an hour later", start: "2026-03-29T08:00:00Z", said: "though it has them 3600 s"),
    Edition(name: "half a day earlier", start: "2026-03-28T19:00:00Z", said: "though it has them 43200 s"),
    Edition(
      name: "an hour later, each tenth edited", start: "2026-03-29T08:00:00Z",
      edit: { "\($0 % 10 == 5 ? $1 + 5 : $1)" }, said: "150 beats of"),
    Edition(name: "each fifth edited", edit: { "\($0 % 5 == 0 ? $1 + 9 : $1)" }, said: "300 beats of"),
    Edition(name: "each twelfth replaced", edit: { "\($0 % 12 == 0 ? 900 : $1)" }, said: "beats of"),
    Edition(
      name: "each twentieth shorter by a fifth", edit: { "\($0 % 20 == 7 ? $1 * 4 / 5 : $1)" }, said: "75 beats of"),
    Edition(name: "15 % at random", edit: { isDrawn($0, 15) ? "\($1 + 25)" : "\($1)" }, said: "beats of"),
    Edition(name: "19 % at random", edit: { isDrawn($0, 19) ? "\($1 * 4 / 5)" : "\($1)" }, said: "beats of"),
    Edition(name: "thirty in a row", edit: { "\(700..<730 ~= $0 ? $1 + 40 : $1)" }, said: "30 beats of"),
    Edition(name: "a tenth in a row", edit: { "\(700..<850 ~= $0 ? $1 + 40 : $1)" }, said: "150 beats of"),
    Edition(name: "seven in a row missing", edit: { 700..<707 ~= $0 ? "" : "\($1)" }),
    Edition(name: "thirty in a row missing", edit: { 700..<730 ~= $0 ? "" : "\($1)" }),
    Edition(name: "a fifth in a row missing", edit: { 700..<1000 ~= $0 ? "" : "\($1)" }),
    Edition(
      name: "thirty more in a row",
      edit: { $0 == 700 ? (intervals(30, seed: 9) + [$1]).map(String.init).joined(separator: "\n") : "\($1)" }),
    Edition(name: "the first eight", edit: { "\($0 < 8 ? 900 : $1)" }, said: "8 beats of"),
    Edition(name: "the first tenth", edit: { "\($0 < 150 ? $1 + 40 : $1)" }, said: "150 beats of"),
    Edition(name: "the last tenth", edit: { "\($0 >= 1350 ? $1 + 40 : $1)" }, said: "150 beats of"),
    Edition(name: "the beginning edited", edit: { "\($0 < 300 && $0 % 8 == 0 ? $1 + 9 : $1)" }, said: "38 beats of"),
  ]

  /// In both orders, the same one is kept; of two starts, that which is stored.
  @Test(arguments: copies)
  func testEdition_IsTheSameRecording(edition: Edition) async throws {
    let original = try write(Edition(name: "original"), Self.intervals())
    let files = [original, try write(edition, Self.intervals())]
    var kept: Set<String> = []
    for (name, order) in [("there", files), ("back", files.reversed())] {
      let database = try TachogramDatabase.open(path: folder.path("\(name).sqlite"))
      _ = try await importFile(order[0], into: database)
      let second = try await importFile(order[1], into: database)
      if let said = edition.said { #expect(second.text.contains(said), "\(second.text)") }
      let sessions = try SessionRepository(database: database).sessions()
      #expect(sessions.count == 1, "\(name): \(second.text)")
      kept.formUnion(sessions.map(\.description.id))
      #expect(try RecordingCopies(database: database).survey().groups.isEmpty)
    }
    #expect(kept.count == (edition.start == Edition(name: "original").start ? 1 : 2))
  }

  /// The last beats are replaced by others, of which some are like those that they stand for by chance.
  @Test(arguments: 1...16)
  func testEndThatWasReplaced_IsTheSameRecording(seed: UInt64) async throws {
    let intervals = (0..<150).map { 850 + (Self.intervals(150, seed: seed)[$0] % 100) }
    let others = Self.intervals(150, seed: seed + 100).map { 850 + $0 % 100 }
    let database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
    _ = try await importFile(try write(Edition(name: "original"), intervals), into: database)
    let edition = Edition(name: "edited", edit: { "\($0 < 123 ? $1 : others[$0])" })
    let second = try await importFile(try write(edition, intervals), into: database)
    #expect(try SessionRepository(database: database).sessions().count == 1, "\(second.text)")
  }

  /// The same rhythm in another file, and what looks like it: each is a session of its own.
  @Test(arguments: [
    Edition(name: "each third edited", edit: { "\($0 % 3 == 0 ? $1 + 40 : $1)" }),
    Edition(name: "the same hour of the next day", start: "2026-03-30T07:00:00Z"),
    Edition(name: "another heart at the same time", edit: { "\(800 + ($0 * 7919 + $1 * 31) % 211)" }),
    Edition(
      name: "the same person half an hour later", start: "2026-03-29T07:30:00Z",
      edit: { "\(800 + ($0 * 7919 + $1 * 31) % 211)" }),
  ])
  func testOtherRecording_IsAnotherSession(other: Edition) async throws {
    let database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
    _ = try await importFile(try write(Edition(name: "original"), Self.intervals()), into: database)
    _ = try await importFile(try write(other, Self.intervals()), into: database)
    #expect(try SessionRepository(database: database).sessions().count == 2)
    #expect(try RecordingCopies(database: database).survey().groups.isEmpty)
  }

  /// Beats that repeat themselves are found anywhere, so they tell nothing without times; few tell nothing either.
  @Test(arguments: [
    Array(repeating: 1000, count: 600), (0..<600).map { 800 + $0 % 50 }, (0..<600).map { 700 + $0 % 2 * 150 },
    Array(intervals().prefix(100)),
  ])
  func testRegularOrFewBeatsAtAnotherTime_AreAnotherSession(intervals: [Int]) async throws {
    let database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
    for start in ["2026-03-29T07:00:00Z", "2026-03-29T09:00:00Z"] {
      _ = try await importFile(try write(Edition(name: start, start: start), intervals), into: database)
    }
    #expect(try SessionRepository(database: database).sessions().count == 2)
  }

  @Test(arguments: [([0, 0, 1, 1], "sequence 0 is there twice"), ([0, 2, 1, 3], "sequence 1 follows 2")])
  func testRowsOutOfOrder_AreRefusedByLine(rows: [Int], reason: String) async throws {
    let lines = rows.map { "beat,\($0),2026-03-29T07:00:0\($0).000Z,\($0)000000,1000,1024,,," }
    let path = folder.path("rows.csv")
    try Data(([SessionCSV.heading] + lines).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    let result = try await Program.run(["import", path, "--database", folder.path("t.sqlite")])
    #expect(result.status == 3)
    #expect(result.errors.contains("rows.csv: line ") && result.errors.contains(reason), "\(result.errors)")
  }

  private func write(_ edition: Edition, _ intervals: [Int]) throws -> String {
    let path = folder.path("\(edition.name).txt")
    let lines = intervals.enumerated().map { edition.edit($0.offset, $0.element) }.filter { !$0.isEmpty }
    try Data((["# start \(edition.start)"] + lines).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func importFile(_ path: String, into database: TachogramDatabase) async throws -> ImportedFile {
    let importer = FileImporter(database: database, kind: .sdnn, person: nil, label: nil, start: nil)
    return try #require(try await importer.importFile(path).first)
  }
}
