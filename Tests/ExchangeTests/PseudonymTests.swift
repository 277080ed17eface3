import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

@Suite("Exports with pseudonyms")
struct PseudonymTests {
  private static let key = Array("0123456789abcdef".utf8)
  private let folder: TemporaryFolder
  private var database: String { folder.url.path + "/t.sqlite" }
  private var key: String { folder.url.path + "/key" }

  init() throws {
    folder = try TemporaryFolder()
    try Data(Self.key).write(to: URL(fileURLWithPath: key))
  }

  private func replay(_ name: String, person: String) async throws {
    let capture = try FixtureLocator.capture(name)
    try #require(
      try await Program.run(["replay", capture, "--database", database, "--person", person]).status
        == 0)
  }

  private func export(_ output: String, format: String = "json", key: String? = nil) async throws -> Program.Result {
    try await Program.run([
      "export", "--everything", "--format", format, "--output", folder.url.path + "/" + output, "--database", database,
      "--pseudonym", key ?? self.key,
    ])
  }

  private func files(_ name: String) throws -> [String: Data] {
    let place = folder.url.appendingPathComponent(name)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: place.appendingPathComponent($0))) })
  }

  // MARK: - Codes

  @Test func testCodes_DependOnTheKeyAlone() {
    let (one, same) = (Pseudonyms(key: Self.key), Pseudonyms(key: Self.key))
    let other = Pseudonyms(key: Self.key + [1])
    #expect(one.person("Anna") == same.person("Anna") && one.person("Anna") != other.person("Anna"))
    #expect(one.person("Anna") != one.person("Bert") && one.person(nil) == nil)
    #expect(one.identifier("session", "x") != one.identifier("device", "x"))
    #expect(UUID(uuidString: one.identifier("session", "x")) != nil)
    let address = BluetoothAddress(value: 0x0011_2233_4455, kind: .public)
    let replaced = one.address(address)
    #expect(replaced == same.address(address) && replaced != address && replaced.kind == .random)
    #expect(replaced.value >> 46 == 3)
    #expect(one.address(.unknown) == .unknown)
  }

  /// HMAC-SHA-256 as Python computes it: hmac.new(b"0123456789abcdef", b"person\0Anna", "sha256").hexdigest()[:10].
  @Test func testCode_IsAnHMAC() {
    #expect(Pseudonyms(key: Self.key).person("Anna") == "P-42041A3A55")
  }

  @Test func testDates_MoveByWholeWeeks() {
    let pseudonyms = Pseudonyms(key: Self.key)
    var found: Set<Int64> = []
    for number in 0..<300 {
      let shift = pseudonyms.shift(of: "person \(number)").wholeMicroseconds
      #expect(shift % 604_800_000_000 == 0)
      #expect((52..<520).contains(-shift / 604_800_000_000))
      found.insert(shift)
    }
    #expect(found.count > 150)
    #expect(pseudonyms.shift(of: "Anna") == pseudonyms.shift(of: "Anna"))
  }

  // MARK: - On the command line

  @Test(arguments: ["json", "csv", "rr", "btsnoop", "kubios", "fit", "fhir"])
  func testExport_ContainsNothingThatIdentifies(format: String) async throws {
    try await replay("rest", person: "Annabella")
    let session = try #require(try await Program.sessions(in: database).first)
    let (id, start) = (try #require(session["id"] as? String), try #require(session["start"] as? String))
    let strap = try #require((session["strap"] as? [String: Any])?["address"] as? String)
    let note = try await Program.run([
      "sessions", "edit", id, "--note", "secret", "--label", "secret", "--database", database,
    ])
    #expect(note.status == 0)
    #expect(
      try await Program.run(["sessions", "mark", id, "secret", "--at", start, "--database", database]).status == 0)
    #expect(try await export("all", format: format).status == 0)
    let bytes = strap.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    for (name, data) in try files("all") {
      let text = String(decoding: data, as: UTF8.self)
      for word in ["Annabella", "secret", id, strap, String(start.prefix(10)), String(id.prefix(8))] {
        #expect(!text.contains(word) && !name.contains(word), "\(word) is in \(name)")
      }
      #expect(data.range(of: Data(bytes)) == nil && data.range(of: Data(bytes.reversed())) == nil)
    }
  }

  @Test func testExport_IsTheSameEachTimeAndKeepsEveryInterval() async throws {
    try await replay("rest", person: "Annabella")
    try await replay("exercise", person: "Annabella")
    for output in ["one", "two"] { #expect(try await export(output).status == 0) }
    #expect(try files("one") == files("two"))
    // The clock of the machine relates no two sessions.
    for (name, data) in try files("one") where name.hasSuffix(".json") && !name.hasPrefix("person") {
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains("\"startMonotonicUs\":0,") || text.contains("\"startMonotonicUs\":0}"), "\(name)")
    }
    let other = folder.url.path + "/other"
    try Data(Array(Self.key.reversed())).write(to: URL(fileURLWithPath: other))
    #expect(try await export("three", key: other).status == 0)
    #expect(Set(try files("one").keys).isDisjoint(with: try files("three").keys.filter { !$0.hasPrefix("person") }))
    // It is an export like any other.
    let copy = folder.url.path + "/copy.sqlite"
    #expect(try await Program.run(["import", folder.url.path + "/one", "--database", copy]).status == 0)
    let (before, after) = (try await Program.sessions(in: database), try await Program.sessions(in: copy))
    let counts = { (sessions: [[String: Any]]) in
      sessions.map { [$0["beats"], $0["gaps"], $0["entries"]].map { $0 as? Int } }
    }
    #expect(counts(before) == counts(after))
    #expect(Set(after.map { $0["person"] as? String }).count == 1)
    for (one, replaced) in zip(before, after) {
      let (rr, same) = (folder.url.path + "/a.txt", folder.url.path + "/b.txt")
      for (database, session, path) in [(database, one, rr), (copy, replaced, same)] {
        let id = try #require(session["id"] as? String)
        _ = try await Program.success(
          "export", id, "--format", "rr", "--output", path, "--force", "--database", database)
      }
      let intervals = { (path: String) in
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      }
      #expect(try intervals(rr) == intervals(same))
    }
  }

  @Test func testKeyThatIsMissingOrShort_ExportsNothing() async throws {
    try await replay("rest", person: "Annabella")
    let short = folder.url.path + "/short"
    try Data("too short\n\n\n\n\n\n\n\n\n\n".utf8).write(to: URL(fileURLWithPath: short))
    for (path, words) in [(short, "openssl rand"), (folder.url.path + "/none", "none")] {
      let result = try await export("all", key: path)
      #expect(result.status != 0 && result.errors.contains(words), "\(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/all"))
  }
}
