import Foundation
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import CommandProcess
@testable import Exchange

/// Exports of which one value contradicts the others.
struct ContradictoryExportTests {
  private let folder: TemporaryFolder
  /// What `export` writes of a session of six minutes.
  private let export: Data

  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("rest")
    let replayed = try await Program.success("replay", capture, "--database", folder.path("1"), "--format", "json")
    try #require(!replayed.output.isEmpty)
    let id = try #require(try await Program.sessions(in: folder.path("1")).first?["id"] as? String)
    export = try await Program.success("export", id, "--format", "json", "--database", folder.path("1")).output
  }

  private func document() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: export) as? [String: Any])
  }

  /// The export with another value at a place, such as `["stress", 3, "level"]`.
  private func changed(_ path: [Any], _ change: (Any?) -> Any?) throws -> Data {
    func changing(_ value: Any?, _ path: ArraySlice<Any>) -> Any? {
      guard let step = path.first else { return change(value) }
      if let key = step as? String, var object = value as? [String: Any] {
        object[key] = changing(object[key], path.dropFirst())
        return object
      }
      if let index = step as? Int, var list = value as? [Any], list.indices.contains(index) {
        list[index] = changing(list[index], path.dropFirst()) ?? NSNull()
        return list
      }
      return value
    }
    let document = try document()
    return try JSONSerialization.data(withJSONObject: #require(changing(document, path[...])))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let place: String
    let value: String
    /// What is named; the place where there is nothing else.
    var named: String?

    var testDescription: String { "\(place) = \(value)" }
  }

  static let cases = [
    Case(
      place: "stress.0.level", value: "99.9", named: "stress[0].category: \"mild\", but a level of 99.9 is \"high\""),
    Case(place: "stress.2.category", value: "\"high\""), Case(place: "stress.2.level", value: "30.5"),
    Case(place: "stress.2.level", value: "26"), Case(place: "stress.2.hrv", value: "20"),
    Case(place: "stress.2.hrv", value: "34"), Case(place: "stress.2.heartRate", value: "63"),
    Case(place: "stress.2.heartRate", value: "180", named: "stress[2].heartRate: 180.0, but the window"),
    Case(place: "stress.2.restingHeartRate", value: "61"),
    Case(place: "stress.2.confidence", value: "1.01"),
    Case(place: "stress.2.kind", value: "\"rmssd\"", named: "stress[2]."),
    Case(place: "stress.2.id", value: "\"00000000-0000-8000-8000-000000000000\""),
    Case(place: "stress.2.timeUs", value: "1767254580000000"),
    Case(place: "stress.2.time", value: "\"2026-01-01T08:03:00.000Z\"", named: "stress[2].timeUs"),
    Case(place: "stress.2.modifiedUs", value: "9223372036854775807"),
    Case(place: "ledger.5.monotonicUs", value: "0", named: "ledger[5].monotonicUs: it runs backwards"),
    Case(place: "ledger.5.monotonicUs", value: "1767254999000000"),
    Case(place: "ledger.5.wallUs", value: "1767254406000000"), Case(place: "ledger.5.sequence", value: "7"),
    Case(place: "ledger.5.link", value: "1"),
    Case(place: "ledger.5.value", value: "\"163d0e04\"", named: "ledger[5].rr1024"),
    Case(place: "ledger.5.value", value: "\"16\"", named: "ledger[5].heartRate"),
    Case(place: "ledger.5.heartRate", value: "62"), Case(place: "ledger.5.rr1024", value: "[1037,1]"),
    Case(place: "ledger.0.monotonicUs", value: "1767254401000000"), Case(place: "ledger.0.wallUs", value: "0"),
    Case(place: "session.startUs", value: "1767254400000000"),
    Case(place: "session.startMonotonicUs", value: "0"), Case(place: "session.start", value: "\"2026-01-01\""),
    Case(place: "session.end", value: "\"2026-01-01T08:07:00.000Z\""),
    Case(place: "session.strap.addressType", value: "\"other\""),
    Case(place: "session.strap.addressType", value: "null"),
    Case(place: "session.person", value: "\"A\\u001b[2J\"", named: "session.person: a name has no line ends"),
    Case(place: "session.label", value: "\"\\u200b\"", named: "session.label: a name has at least one visible"),
    Case(place: "session.label", value: "\"\(String(repeating: "x", count: 101))\"", named: "up to 100 characters"),
    Case(place: "session.madeFrom", value: "\"\\u009b31m\""),
    Case(place: "stress.2.deviceID", value: "\"\\u001b]0;x\""),
    Case(place: "stress.2.deviceID", value: "\"\\u202elive\""),
    Case(place: "session.links.0.bootID", value: "\"\\u001b[2J\""),
  ]

  @Test(arguments: cases)
  func testContradiction_IsNamedAndNothingIsStored(_ one: Case) async throws {
    let steps: [Any] = one.place.split(separator: ".").map { Int($0).map { $0 as Any } ?? String($0) }
    let value = try JSONSerialization.jsonObject(with: Data(one.value.utf8), options: .fragmentsAllowed)
    let file = folder.path("changed.json")
    try changed(steps) { _ in value }.write(to: URL(fileURLWithPath: file))
    let result = try await Program.run(["import", file, "--database", folder.path("2")])
    #expect(result.status == 3)
    let place = one.place.replacing(#/\.(\d+)/#) { "[\($0.1)]" }
    #expect(result.errors.contains("\(file): ") && result.errors.contains(one.named ?? place), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("2")))
  }

  // MARK: - Parts that derive

  /// What derives from the ledger is derived again, whatever a file says of it.
  @Test(arguments: [
    "beats", "gaps", "artifacts", "windows.0.coverage", "ledger.5.strap", "ledger.5.event", "session.strap.name",
  ])
  func testDerivedParts_AreNotRead(place: String) throws {
    let original = try Content(changed([]) { $0 })
    let steps: [Any] = place.split(separator: ".").map { Int($0).map { $0 as Any } ?? String($0) }
    for value in [[Any](), [["rr1024": 1]], "\u{1B}[2J", ["a": 1]] as [Any] {
      #expect(try Content(changed(steps) { _ in value }) == original, "\(place)")
    }
    #expect(try Content(changed(steps) { _ in nil }) == original, "\(place)")
  }

  // MARK: - Names

  @Test func testNameOfTheCommandLine_StandsForOneThatIsNone() async throws {
    let file = folder.path("named.json")
    try changed(["session", "person"]) { _ in "\u{1B}" }.write(to: URL(fileURLWithPath: file))
    let refused = try await Program.run(["import", file, "--database", folder.path("2")])
    #expect(refused.status == 3 && refused.errors.contains("--person gives another one"))
    #expect(!refused.errors.contains("\u{1B}"))
    let named = try await Program.success("import", file, "--person", " Anna ", "--database", folder.path("2"))
    #expect(named.text.contains(" of Anna,"))
  }

  // MARK: - Any field

  /// What nothing else in an export says again: it is what the file says it is.
  private static let free = [
    "session.complete", "session.id", "session.label", "session.madeFrom", "session.origin", "session.person",
    "session.characteristics", "session.links", "session.strap.address", "stress.confidence", "stress.deviceID",
    "stress.modifiedUs", "stress.synced",
  ]

  /// What an import makes of a file.
  private struct Content: Equatable {
    let description: SessionDescription
    let links: [StrapLink]
    let entries: [LedgerEntry]
    let isComplete: Bool
    let stress: [StressMeasurement]?

    init(_ data: Data) throws {
      let archive = try SessionArchive(data, path: "x.json")
      let description = try archive.description(path: "x.json")
      self.description = description
      (links, entries) = (archive.links, archive.entries)
      isComplete = archive.session.complete
      stress = archive.stress?.map { $0.measurement(person: nil, session: description.id) }
    }
  }

  /// The places of all values that are no object or array of objects.
  private static func leaves(_ value: Any, _ path: [Any] = []) -> [[Any]] {
    if let object = value as? [String: Any] {
      return object.keys.sorted().flatMap { leaves(object[$0] ?? 0, path + [$0]) }
    }
    if let list = value as? [[String: Any]] { return list.indices.flatMap { leaves(list[$0], path + [$0]) } }
    return [path]
  }

  /// Another value of the same type, or of another.
  private static func other(_ value: Any?, _ random: inout SplitMix64) -> Any? {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return nil
    case 1: return ["x"]
    default: break
    }
    switch value {
    case let text as String:
      return [text + "0", String(text.dropLast()), "x", "rmssd", "high"].randomElement(using: &random)
    case let number as NSNumber:
      let double = number.doubleValue
      let isWhole = double == double.rounded()
      let values: [Double] =
        isWhole
        ? [double + 2_000_000, double - 2_000_000, 0, -double - 1, double * 2 + 1]
        : [double * 1.01, double * 0.99, 0, -double, double + 50]
      let changed = values.randomElement(using: &random) ?? 0
      return isWhole ? NSNumber(value: Int64(changed)) : NSNumber(value: changed)
    case let list as [Any]: return list + [1]
    default: return 1
    }
  }

  /// Each is imported as what it was, or refused by its name.
  @Test func testAnyFieldThatIsChanged_IsNamedOrChangesNothing() throws {
    let original = try Content(changed([]) { $0 })
    let document = try document()
    let count = (document["ledger"] as? [Any])?.count ?? 0
    // All of the few, and some of the many.
    let places = Self.leaves(document).filter { $0.first as? String != "beats" }
    var random = SplitMix64(seed: 7)
    var refused = 0
    for _ in 0..<150 {
      let section = ["session", "ledger", "stress", "windows"].randomElement(using: &random) ?? ""
      let candidates = places.filter { $0.first as? String == section }
      guard let place = candidates.randomElement(using: &random) else { continue }
      let name = place.compactMap { $0 as? String }.joined(separator: ".")
      // The clocks may come apart for good at any entry, at the last one too.
      let isFree =
        Self.free.contains { name.hasPrefix($0) } || name == "ledger.monotonicUs" && place[1] as? Int == count - 1
      if isFree { continue }
      let data = try changed(place) { Self.other($0, &random) }
      do {
        #expect(try Content(data) == original, "\(place)")
      } catch let failure as CommandFailure {
        refused += 1
        #expect(failure.code == .badInput, "\(place)")
        let element = place.count > 1 ? (place[1] as? Int).map { "\(section)[\($0)]" } ?? section : section
        let key = place.compactMap { $0 as? String }.last ?? ""
        // A window that a level repeats is held against it: the level is named.
        let isNamed = section == "windows" ? failure.message.contains("stress[") : failure.message.contains(element)
        #expect(isNamed || failure.message.contains(key), "\(place): \(failure.message)")
      }
    }
    #expect(refused > 50)
  }

  /// What was derived again while it was recorded has another baseline from then on.
  @Test func testOtherBaselineFromALevelOn_IsImported() throws {
    var document = try document()
    var stress = try #require(document["stress"] as? [[String: Any]])
    for position in stress.indices.dropFirst(3) {
      // As against a baseline of 60 ms in the place of 50, at a resting heart rate of 60.
      let (hrv, rate) = (
        try #require(stress[position]["hrv"] as? Double), try #require(stress[position]["heartRate"] as? Double)
      )
      let level = 70 * pow((60 - hrv) / 60, 0.8) + 30 * max(0, atan(2 * (rate - 60) / 60) / (.pi / 2))
      (stress[position]["level"], stress[position]["category"]) = (level, StressCategory(level: level).rawValue)
    }
    document["stress"] = stress
    #expect(try Content(JSONSerialization.data(withJSONObject: document)).stress?.count == stress.count)
  }

  /// A clock that steps for good, either way, is no contradiction.
  @Test(arguments: [Int64(-7_200_000_000), 5_000_000])
  func testStepOfTheCivilClock_IsImported(step: Int64) throws {
    var document = try document()
    var ledger = try #require(document["ledger"] as? [[String: Any]])
    for position in ledger.indices.dropFirst(100) {
      let wall = try #require(ledger[position]["wallUs"] as? Int64) + step
      ledger[position]["wallUs"] = wall
      ledger[position]["time"] = Timestamp.text(WallTime(microseconds: wall))
    }
    document["ledger"] = ledger
    var session = try #require(document["session"] as? [String: Any])
    session["end"] = ledger.last?["time"]
    document["session"] = session
    let content = try Content(JSONSerialization.data(withJSONObject: document))
    #expect(content.entries.count == ledger.count)
  }
}
