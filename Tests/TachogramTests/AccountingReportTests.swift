import Foundation
import TachogramTestKit
import Testing

/// Reports account for every heart-rate notification that a capture holds.
struct AccountingReportTests {
  private static let other: [UInt8] = [0x02, 0x00, 0x00, 0xEE, 0xFF, 0xC0]

  /// The numbers of an account.
  private struct Account: Decodable, Equatable {
    var found: Int
    var used: Int
    var malformed: Int
    var leftOut: Int
    var leftOutReasons: [String: Int]

    var isBalanced: Bool {
      found == used + malformed + leftOut && leftOut == leftOutReasons.values.reduce(0, +)
        && leftOutReasons.values.allSatisfy { $0 > 0 }
    }
  }

  private struct Notifications: Decodable {
    var total: Int
  }

  private struct Strap: Decodable {
    var account: Account
    var total: Int

    private enum Key: String, CodingKey {
      case notifications
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      account = try container.decode(Account.self, forKey: .notifications)
      total = try container.decode(Notifications.self, forKey: .notifications).total
    }
  }

  private struct Report: Decodable {
    struct Capture: Decodable {
      var notifications: Account
    }

    var capture: Capture
    var straps: [Strap]

    private enum Key: String, CodingKey {
      case capture, otherStraps
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      capture = try container.decode(Capture.self, forKey: .capture)
      straps = [try Strap(from: decoder)] + (try container.decodeIfPresent([Strap].self, forKey: .otherStraps) ?? [])
    }
  }

  /// Checks what must hold of every report, and gives it.
  @discardableResult
  private func balanced(_ result: Program.Result) throws -> Report {
    let report = try JSONDecoder().decode(Report.self, from: Data(result.text.utf8))
    for strap in report.straps {
      #expect(strap.account.isBalanced)
      #expect(
        strap.total == strap.account.used + strap.account.malformed + (strap.account.leftOutReasons["overlap"] ?? 0))
    }
    let total = report.capture.notifications
    #expect(total.isBalanced)
    #expect(total.used == report.straps.reduce(0) { $0 + $1.account.used })
    #expect(total.malformed == report.straps.reduce(0) { $0 + $1.account.malformed })
    let unwanted = total.leftOutReasons["otherStrap"] ?? 0
    #expect(total.found == report.straps.reduce(unwanted) { $0 + $1.account.found })
    return report
  }

  private func file(_ bytes: [UInt8], _ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Two straps; of the first one, three notifications come between a change of services and the next discovery.
  private static func twoStraps() -> [UInt8] {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discoverServiceChanged()
    script.connection = 0x41
    script.connect(other)
    script.discover()
    for index in 0..<30 {
      script.interval = 500_000
      if index == 10 {
        script.connection = 0x40
        script.changeServices()
      }
      if index == 13 {
        script.connection = 0x40
        script.discover(uuid: 0x2A19)
        script.discover(0x30)
      }
      for connection in UInt16(0x40)...0x41 {
        script.connection = connection
        let handle: UInt16 = connection == 0x40 && index >= 13 ? 0x30 : 0x10
        script.notify(index == 5 ? [0x16] : [0x16, 60, 0, 4], handle: handle)
      }
    }
    return CaptureWrapping.btsnoop(script)
  }

  // MARK: - Sums

  @Test(arguments: GoldenTests.folders)
  func testEveryFixture_IsAccountedFor(folder: URL) async throws {
    let result = try await Program.run(["replay", "input.btsnoop", "--format", "json"], in: folder)
    if result.text.isEmpty {
      #expect(result.status == 3)
      return
    }
    let report = try balanced(result)
    #expect(report.capture.notifications.found > 0)
  }

  @Test func testTwoStraps_AreAccountedForEachAndInAll() async throws {
    let folder = try TemporaryFolder()
    let path = try file(Self.twoStraps(), "two.btsnoop", in: folder)
    let report = try balanced(try await Program.run(["replay", path, "--format", "json"]))
    #expect(
      report.straps.map(\.account) == [
        Account(found: 30, used: 26, malformed: 1, leftOut: 3, leftOutReasons: ["handleChangedMeaning": 3]),
        Account(found: 30, used: 29, malformed: 1, leftOut: 0, leftOutReasons: [:]),
      ])
    #expect(report.capture.notifications.found == 60)
    let text = try await Program.run(["replay", path])
    #expect(text.text.contains("left out  in all 3 of 60: 3 on a handle"))
    #expect(text.text.contains("left out  3 of 30: 3 on a handle"))
  }

  @Test func testDatabaseAndEventLines_CountAlike() async throws {
    let folder = try TemporaryFolder()
    let path = try file(Self.twoStraps(), "two.btsnoop", in: folder)
    let plain = try await Program.run(["replay", path, "--format", "json"])
    let stored = try await Program.run(["replay", path, "--format", "json", "--database", folder.path("t.sqlite")])
    #expect(stored.output == plain.output)
    let lines = try await Program.run(["replay", path, "--format", "ndjson"]).text.split(separator: "\n")
    #expect(lines.count { $0.contains("\"event\":\"notification\"") } == 57)
    let last = try JSONDecoder().decode(Report.self, from: Data(try #require(lines.last).utf8))
    #expect(last.capture.notifications.found == 60)
  }

  @Test func testStrapOption_CountsTheOthersAsLeftOut() async throws {
    let folder = try TemporaryFolder()
    let path = try file(Self.twoStraps(), "two.btsnoop", in: folder)
    let result = try await Program.run(["replay", path, "--strap", "C0:FF:EE:00:00:02", "--format", "json"])
    let report = try balanced(result)
    #expect(report.straps.map(\.account.leftOut) == [0])
    #expect(report.capture.notifications.leftOutReasons == ["otherStrap": 30])
    let text = try await Program.run(["replay", path, "--strap", "C0:FF:EE:00:00:02"])
    #expect(text.text.contains("left out  in all 30 of 60: 30 of other straps"))
  }

  @Test func testImport_SaysWhatIsLeftOut() async throws {
    let folder = try TemporaryFolder()
    let path = try file(Self.twoStraps(), "two.btsnoop", in: folder)
    let result = try await Program.run(["import", path, "--database", folder.path("t.sqlite")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("left out 3 of 30"))
  }

  // MARK: - Without times

  @Test func testCaptureWithoutTimes_IsAccountedForAndRefused() async throws {
    // Given: a minute in Simple Packet Blocks, which have no time
    var script = PacketScript()
    script.connect()
    script.discover()
    for _ in 0..<60 { script.notify([0x16, 60, 0, 4]) }
    let folder = try TemporaryFolder()
    let path = try file(
      PcapngBuilder.file(CaptureWrapping.records(script, linkType: 201), linkType: 201, block: .simple),
      "simple.pcapng", in: folder)
    // When
    let result = try await Program.run(["replay", path, "--format", "json"])
    // Then
    #expect(result.status == 3)
    #expect(result.errors.contains("60 without a time of arrival"))
    let report = try balanced(result)
    #expect(report.straps.map(\.account.leftOutReasons) == [["withoutTime": 60]])
    let object = try result.object()
    #expect((object["beats"] as? [String: Any])?["coverage"] as? Double == 0)
    #expect((object["capture"] as? [String: Any])?["recordsWithoutTime"] as? Int == 63)
    let database = folder.path("t.sqlite")
    let imported = try await Program.run(["import", path, "--database", database])
    #expect(imported.status == 3)
    #expect(imported.errors.contains("60 without a time of arrival"))
    let live = try await Program.run(["record", "--replay", path, "--database", database])
    #expect(live.status == 3)
  }

  // MARK: - Losses

  @Test func testDroppedPackets_SurviveStoringAndExport() async throws {
    // Given
    let folder = try TemporaryFolder()
    let input = try FixtureLocator.capture("dropped-packets")
    let database = folder.path("t.sqlite")
    let first = try await Program.run(["replay", input, "--format", "json", "--database", database])
    let session = try #require((try first.object()["session"] as? [String: Any])?["id"] as? String)
    // When
    let export = folder.path("export.btsnoop")
    let exported = try await Program.run(
      ["export", session, "--format", "btsnoop", "--output", export, "--database", database])
    #expect(exported.status == 0, "\(exported.errors)")
    let second = try await Program.run(["replay", export, "--format", "json"])
    // Then
    for section in ["session", "notifications", "beats", "hrv", "stress"] {
      #expect(try part(section, first) == part(section, second), "\(section)")
    }
    #expect((try first.object()["beats"] as? [String: Any])?["gaps"] as? Int == 1)
    let lines = try await Program.run(["replay", input, "--format", "ndjson"]).text
    #expect(lines.contains("\"reason\":\"lost\""))
  }

  private func part(_ section: String, _ result: Program.Result) throws -> Data {
    var part = try #require(try result.object()[section] as? [String: Any])
    part["segments"] = nil
    return try JSONSerialization.data(withJSONObject: part, options: .sortedKeys)
  }
}
