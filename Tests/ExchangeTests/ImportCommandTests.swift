import Foundation
import TachogramTestKit
import Testing

struct ImportCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, _ name: String) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func run(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["import"] + arguments + ["--database", folder.url.path + "/t.sqlite"])
  }

  @Test func testTextWithoutItsTime_AsksForIt() async throws {
    let file = try write("1000\n990\n1010\n", "rr.txt")
    let result = try await run(file)
    #expect(result.status == 2)
    #expect(result.errors.contains("rr.txt") && result.errors.contains("--start"))
    #expect(try await run(file, "--start", "2026-03-29T07:00:00Z").text.contains("3 beats, 0 gaps"))
  }

  @Test(arguments: [
    ("{\"session\":{}}", "\"id\" is missing at session"), ("{\"a\":1}", "no session"), ("{", "no session"),
    ("{\"session\":{\"id\":\"x\",\"startUs\":1.5}}", "not whole, or too large, at session.startUs"),
    ("{\"resourceType\":\"Bundle\",\"entry\":[]}", "no session"),
    ("{\"resourceType\":\"Bundle\",\"entry\":[{\"fullUrl\":\"x\"}]}", "no session"),
    ("{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{}}]}", "\"resourceType\" is missing"),
    ("{\"straps\":[]", "no session"), ("{\"straps\":[{}],\"stress\":[],\"baselines\":[]}", "is missing at straps[0]"),
    ("event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason\nbeat,0\n", "no beat"), ("", "empty"),
  ])
  func testWhatIsNoExport_IsNamedWithTheReason(text: String, reason: String) async throws {
    let result = try await run(try write(text, "x.json"))
    #expect(result.status == 3)
    #expect(result.errors.contains("x.json") && result.errors.contains(reason), "\(result.errors)")
  }

  @Test func testDamagedLines_ArePassedOverAndCounted() async throws {
    let heading = "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason\n"
    let beat = "beat,0,2026-03-29T07:00:01.000Z,1000000,1000,1024,,,\n"
    let file = try write(heading + beat + "beat,1,never,2000000,1000,1024,,,\n" + "gap,0\n", "s.csv")
    let result = try await run(file, "--format", "json")
    #expect(result.status == 0)
    let imported = try #require(result.object()["imported"] as? [[String: Any]])
    #expect(imported[0]["damaged"] as? Int == 2 && imported[0]["beats"] as? Int == 1)
    #expect(result.errors.contains("2 lines were passed over, the first is line 3"))
    #expect(try await run(file).text.contains(", 1 beat, 0 gaps; 2 damaged places were passed over\n"))
    let one = try write(heading + beat + "gap,0\n", "one.csv")
    #expect(try await run(one).text.contains("; 1 damaged place was passed over\n"))
  }

  /// As a spreadsheet writes it again; and a beat whose other fields are nonsense.
  @Test(arguments: ["\n", "\r\n"])
  func testTableOfASpreadsheet_IsRead(end: String) async throws {
    let heading = "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason"
    let beats = ["", "nan", "inf", "1e13"].enumerated().map { number, seconds in
      "beat,\(number),2026-03-29T07:00:0\(number).000Z,\(number)000000,1000,1024,,\(seconds),"
    }
    let file = try write(([heading] + beats + [""]).joined(separator: end), "s.csv")
    let result = try await run(file, "--format", "json")
    let imported = try #require(result.object()["imported"] as? [[String: Any]])
    #expect(imported[0]["damaged"] as? Int == 0 && imported[0]["beats"] as? Int == 4, "\(result.errors)")
  }

  /// A level of no time that a clock can show would stay for ever: its hour has no end.
  @Test(arguments: [("timeUs", "9223372036854000000"), ("modifiedUs", "-9223372036854775808"), ("level", "101")])
  func testLevelThatCannotBe_IsRefused(key: String, value: String) async throws {
    var level = [
      "id": "\"00000000-0000-0000-0000-000000000001\"", "time": "\"\"", "timeUs": "1", "level": "40",
      "category": "\"mild\"", "confidence": "0.5", "hrv": "50", "kind": "\"sdnn\"", "heartRate": "60",
      "restingHeartRate": "60", "deviceID": "\"x\"", "modifiedUs": "1", "synced": "false",
    ]
    level[key] = value
    let text = level.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let session = Self.session(["103c0004"], person: "Bob").replacing("\"stress\":[]", with: "\"stress\":[{\(text)}]")
    let person = "{\"person\":\"Bob\",\"straps\":[],\"baselines\":[],\"stress\":[{\(text)}]}"
    for (number, file) in [session, person].enumerated() {
      let result = try await run(write(file, "\(number).json"))
      #expect(result.status == 3)
      #expect(result.errors.contains("stress[0].\(key) is not what an export has there"), "\(result.errors)")
    }
  }

  /// What fails in the middle leaves nothing, and nobody; and nothing goes that was there.
  @Test func testImportThatFails_LeavesNobodyAndTakesNothing() async throws {
    let links = "{\"number\":0,\"handle\":18,\"handleSource\":\"given\"}"
    let bad = Self.session(["103c0004"], person: "Bob").replacing(
      links, with: links + "," + links.replacing("18", with: "19"))
    func people() async throws -> Int? {
      let database = folder.url.path + "/t.sqlite"
      return try await Program.run(["delete", "--everything", "--format", "json", "--database", database])
        .object()["people"] as? Int
    }
    #expect(try await run(write(bad, "bad.json")).status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/t.sqlite"))
    let other = Self.session(["103c2004"], person: "Bob").replacing("000000000001", with: "000000000002")
    #expect(try await run(write(other, "other.json")).status == 0)
    #expect(try await run(write(bad, "bad.json")).status == 1)
    #expect(try await people() == 1)
    let database = folder.url.path + "/t.sqlite"
    #expect(try await Program.run(["sessions", "--database", database]).text.contains("Bob"))
  }

  @Test func testOneBadFile_DoesNotKeepTheOthersOut() async throws {
    let bad = try write("{}", "bad.json")
    let good = try write("# start 2026-03-29T07:00:00Z\n1000\n990\n1010\n", "good.txt")
    let result = try await run(bad, good)
    #expect(result.status == 3)
    #expect(result.text.contains("good.txt: rr-text, session "))
    #expect(try await run(folder.url.path + "/nothing.txt").status == 1)
  }

  /// Whoever is named the second time, and however it is written.
  @Test(arguments: ["json", "btsnoop"])
  func testStoredSession_StaysThatOfItsPerson(format: String) async throws {
    let capture = try FixtureLocator.capture("rest")
    #expect(try await run(capture, "--person", "Anna").text.contains(" of Anna, "))
    let database = folder.url.path + "/t.sqlite"
    let id = try #require(try await Program.sessions(in: database).first?["id"] as? String)
    let file = folder.url.path + "/again.\(format)"
    _ = try await Program.run(["export", id, "--format", format, "--output", file, "--database", database])
    let again = try await run(file, "--person", "Ben").text
    #expect(again.contains(" of Anna, ") && again.contains("already stored as session"))
  }

  /// `--start` is for files that do not say it themselves.
  @Test func testStartInTheFile_Counts() async throws {
    let file = try write("# start 2026-03-29T07:00:00Z\n1000\n990\n1010\n", "own.txt")
    #expect(try await run(file, "--start", "2020-01-01T00:00:00Z").status == 0)
    let database = folder.url.path + "/t.sqlite"
    #expect(try await Program.run(["sessions", "--database", database]).text.contains("2026-03-29T07:00:00.000Z"))
  }

  /// Times of a table that run backwards are not used, and that is said where it is imported as well.
  @Test func testTimesThatCannotBe_AreReported() async throws {
    let rows = (0..<60).map { "\(100_000 - $0 * 900),\(880 + $0 % 40)" }
    let file = try write("time_ms,rr_ms\n" + rows.joined(separator: "\n") + "\n", "back.csv")
    let result = try await run(file, "--start", "2026-03-29T07:00:00Z")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("back.csv") && result.errors.contains("backwards"), "\(result.errors)")
  }

  @Test func testTimesBeyondAllTime_AreRefused() async throws {
    let text = """
      {"session":{"id":"00000000-0000-8000-8000-000000000001","startUs":0,"startMonotonicUs":0,"origin":"replay",\
      "madeFrom":"rr-text","complete":true,"strap":{},"characteristics":{},\
      "links":[{"number":0,"handle":18,"handleSource":"given"}]},"stress":[],"ledger":[
      {"sequence":0,"link":0,"monotonicUs":9223372036854775807,"wallUs":0,"value":"103c0004"}]}
      """
    let result = try await run(try write(text, "far.json"))
    #expect(result.status == 3)
    #expect(result.errors.contains("far.json: the time of ledger[0]"))
  }

  /// A session with these notifications, the first of which came at 0.
  private static func session(
    _ values: [String], complete: Bool = true, person: String? = nil, start: Int = 0
  ) -> String {
    let entries = values.enumerated().map { number, value in
      "{\"sequence\":\(number),\"link\":0,\"monotonicUs\":\(number),\"wallUs\":\(number),\"value\":\"\(value)\"}"
    }
    return """
      {"session":{"id":"00000000-0000-8000-8000-000000000001","startUs":\(start),"startMonotonicUs":\(start),\
      "origin":"replay","complete":\(complete),\(person.map { "\"person\":\"\($0)\"," } ?? "")"strap":{},\
      "characteristics":{},"links":[{"number":0,"handle":18,"handleSource":"given"}]},"stress":[],\
      "ledger":[\(entries.joined(separator: ","))]}
      """
  }

  @Test func testOtherLedgerUnderTheSameIdentifier_IsRefused() async throws {
    #expect(try await run(write(Self.session(["003c"]), "1.json")).status == 0)
    let result = try await run(try write(Self.session(["003d"]), "2.json"))
    #expect(result.status == 1)
    #expect(result.errors.contains("00000000"))
  }

  /// One that is stored in part: by an import that was cut off, or by a station that records it.
  @Test func testSessionThatIsStoredInPart_IsOnlyEverAddedTo() async throws {
    let stored = try write(Self.session(["103c0004", "103c0104"], complete: false, person: "Anna"), "part.json")
    #expect(try await run(stored).text.contains("2 beats"))
    let database = folder.url.path + "/t.sqlite"
    func export() async throws -> String {
      try await Program.run(["export", "00000000", "--format", "json", "--database", database]).text
    }
    let before = try await export()
    // Less of it, though it calls itself whole; and what begins at another time.
    for (number, text) in [Self.session([], person: "Ben"), Self.session(["103c0004"], person: "Ben")].enumerated() {
      #expect(try await run(write(text, "less\(number).json")).text.contains("already stored as session"))
    }
    let other = try write(Self.session(["103c0004", "103c0104", "103c0204"], start: 1), "other.json")
    #expect(try await run(other).errors.contains("of another strap or another time"))
    #expect(try await export() == before)
    let whole = try write(Self.session(["103c0004", "103c0104", "103c0204"], person: "Ben"), "whole.json")
    #expect(try await run(whole).text.contains("of Anna, 3 beats"))
    let lock = open(database + "-recording", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(try await run(whole).text.contains("already stored as session"))
  }

  /// Nothing is added to what was recorded here and ended in order, and what cannot be stored leaves what there was.
  @Test func testWholeSession_IsNotAddedTo() async throws {
    func live(_ values: [String]) -> String {
      Self.session(values).replacing("\"origin\":\"replay\"", with: "\"origin\":\"live\"")
    }
    _ = try await run(write(live(["103c0004"]), "whole.json"))
    let longer = try await run(write(live(["103c0004", "103c0104"]), "longer.json"))
    #expect(longer.text.contains("1 beats") && longer.text.contains("already stored as session"))
  }

  @Test(arguments: [false, true])
  func testFileThatCannotBeStored_LeavesWhatThereWas(isKnown: Bool) async throws {
    let database = folder.url.path + "/t.sqlite"
    func sessions() async throws -> String {
      try await Program.run(["sessions", "--format", "json", "--database", database]).text
    }
    _ = try await run(write("1000\n", "other.txt"), "--start", "2026-03-29T07:00:00Z")
    if isKnown { _ = try await run(write(Self.session(["103c0004"]), "part.json")) }
    let before = try await sessions()
    let other = Self.session(["103c0004", "103c0104"]).replacing("\"handle\":18", with: "\"handle\":70000")
    let result = try await run(write(other, "other.json"))
    #expect(result.status != 0)
    #expect(try await sessions() == before)
  }

  @Test func testSessionThatIsBeingRecorded_IsLeftAlone() async throws {
    _ = try await run(write(Self.session(["103c0004"], complete: false), "part.json"))
    let lock = open(folder.url.path + "/t.sqlite-recording", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let result = try await run(write(Self.session(["103c0004", "103c0104"]), "whole.json"))
    #expect(result.status == 1)
    #expect(result.errors.contains("stop it first"))
  }

  /// Which straps are listened to is nothing that a file decides.
  @Test func testStrapsOfAPersonsFile_AreLeftOutUnlessTheyAreTrusted() async throws {
    let file = try write(
      """
      {"person":"Anna","straps":[{"address":"AA:BB:CC:DD:EE:FF","addressType":"random","name":"H10","addedUs":0}],\
      "stress":[],"baselines":[]}
      """, "person.json")
    let database = folder.url.path + "/t.sqlite"
    let result = try await run(file)
    #expect(result.status == 0)
    #expect(result.errors.contains("AA:BB:CC:DD:EE:FF") && result.errors.contains("--trust-straps"))
    #expect(!(try await Program.run(["straps", "--database", database]).text.contains("H10")))
    #expect(try await run(file, "--trust-straps").errors == "")
    #expect(try await Program.run(["straps", "--database", database]).text.contains("H10"))
  }
}
