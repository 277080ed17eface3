import Dashboard
import Foundation
import Listening
import StressKit
import TachogramTestKit
import Testing

@testable import Station

@Suite("Settings of the page")
struct StationSettingsTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }
  private var stored: String { folder.path("settings.yaml") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func loader(
    _ file: String? = nil, flags: [String: String] = [:], environment: [String: String] = [:]
  ) throws -> ConfigurationLoader {
    let path = folder.path("config.yaml")
    if let file { try file.write(toFile: path, atomically: true, encoding: .utf8) }
    return ConfigurationLoader(
      file: file == nil ? nil : path, flags: flags, environment: environment, defaultDatabase: database)
  }

  private func settings(_ file: String? = nil) throws -> StationSettings {
    StationSettings(loader: try loader(file), database: database)
  }

  private static func error(_ body: () throws -> Void) -> DashboardError? {
    #expect(throws: DashboardError.self, performing: body)
  }

  @Test func testChange_IsStoredUsedAndTakenBack() throws {
    let settings = try settings()
    try settings.change(["session.endAfter": "30m", "alerts.quietHours": "22:00-07:00", "session.hrv": "rmssd"])
    let configuration = try loader().load()
    #expect(configuration.session.endAfter.seconds == 1800 && configuration.session.hrv == .rmssd)
    #expect(configuration.alerts.quietHours?.contains(0) == true)
    let endAfter = try #require(try settings.list().first { $0.key == "session.endAfter" })
    #expect(endAfter.isChanged && endAfter.value == "30m" && endAfter.defaultValue == "10m" && endAfter.place == nil)
    let place = try loader().values().first { $0.setting.path == "session.endAfter" }?.origin
    #expect(place == .file("\(stored):3"))
    try settings.change(["session.endAfter": nil])
    #expect(try loader().load().session.endAfter.seconds == 600)
    #expect(try loader().load().session.hrv == .rmssd)
    try settings.change(["alerts.quietHours": nil, "session.hrv": nil])
    #expect(!FileManager.default.fileExists(atPath: stored))
  }

  @Test func testList_IsStoredReadAgainAndCleared() throws {
    let settings = try settings()
    try settings.change(["sensors.accelerometer": "Polar H10, Verity Sense", "retention.raw": "7d"])
    #expect(try loader().load().sensors.accelerometer == ["Polar H10", "Verity Sense"])
    let listed = try #require(try settings.list().first { $0.key == "sensors.accelerometer" })
    #expect(listed.value == "Polar H10,Verity Sense" && listed.isChanged && listed.kind == "text")
    for value in ["a,,b", "a, ,b", ","] {
      #expect(Self.error { try settings.change(["sensors.accelerometer": value]) }?.message.contains("empty") == true)
    }
    #expect(try loader().load().sensors.accelerometer == ["Polar H10", "Verity Sense"])
    try settings.change(["sensors.accelerometer": nil, "retention.raw": nil])
    #expect(try loader().load().sensors.accelerometer.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: stored))
  }

  /// Whoever holds a token must not run programs, send data elsewhere, or open the page.
  @Test func testKeysThatAreDangerous_CannotBeChanged() throws {
    let settings = try settings()
    let listed = Set(try settings.list().map(\.key))
    for setting in Setting.all where !setting.isOnPage {
      #expect(!listed.contains(setting.path))
      #expect(Self.error { try settings.change([setting.path: "x"]) }?.kind == .badRequest, "\(setting.path)")
    }
    for prefix in [
      "http.", "radio.", "storage.", "snapshots.", "alerts.hook", "alerts.webhook", "alerts.desktop", "database",
    ] {
      #expect(!listed.contains { $0.hasPrefix(prefix) }, "\(prefix)")
    }
    #expect(Self.error { try settings.change(["nothing": "1"]) }?.kind == .badRequest)
    #expect(!FileManager.default.fileExists(atPath: stored))
    // Nor by the file itself.
    try "alerts.hook: /bin/sh\n".write(toFile: stored, atomically: true, encoding: .utf8)
    #expect(throws: ConfigurationLoader.Problems.self) { try loader().load() }
  }

  @Test func testInvalidValue_ChangesNothing() throws {
    let settings = try settings()
    try settings.change(["alerts.batteryPercent": "30"])
    let before = try String(contentsOfFile: stored, encoding: .utf8)
    for (key, value) in [
      ("session.endAfter", "soon"), ("alerts.batteryPercent", "101"), ("session.hrv", "SDNN"), ("timeZone", "Nowhere"),
      ("alerts.quietHours", "22-7"), ("retention.sessions", "0d"), ("session.endAfter", "10m\nhttp.host: 0.0.0.0"),
    ] {
      #expect(
        Self.error { try settings.change([key: value, "alerts.stressMinutes": "5"]) }?.message.contains(key) == true)
    }
    // Values that contradict each other.
    #expect(Self.error { try settings.change(["alerts.silenceMinutes": "60"]) }?.message.contains("endAfter") == true)
    #expect(try String(contentsOfFile: stored, encoding: .utf8) == before)
  }

  @Test func testValueOfTheConfigurationFile_TakesPrecedenceAndNamesItsPlace() throws {
    let settings = try settings("alerts:\n  batteryPercent: 40\n")
    let battery = try #require(try settings.list().first { $0.key == "alerts.batteryPercent" })
    #expect(battery.value == "40" && battery.place?.hasSuffix("config.yaml:2: alerts.batteryPercent") == true)
    #expect(Self.error { try settings.change(["alerts.batteryPercent": "10"]) }?.kind == .conflict)
    // One that was stored before the file had it is kept, and not used.
    try "alerts.batteryPercent: \"10\"\n".write(toFile: stored, atomically: true, encoding: .utf8)
    #expect(try loader("alerts:\n  batteryPercent: 40\n").load().alerts.batteryPercent == 40)
    let flagged = try loader(flags: ["alerts.batteryPercent": "50"])
    #expect(
      Self.error {
        try StationSettings(loader: flagged, database: database).change(["alerts.batteryPercent": "10"])
      }?.kind == .conflict)
  }

  /// The loader names the database as the user does, and the database itself by its whole path.
  @Test func testRelativeDatabase_HasTheSameSettings() throws {
    let here = FileManager.default.currentDirectoryPath
    let up = String(repeating: "../", count: here.split(separator: "/").count)
    let relative = up + database.dropFirst()
    let loader = ConfigurationLoader(file: nil, flags: ["database": relative], environment: [:])
    let settings = StationSettings(loader: loader, database: here + "/" + relative)
    try settings.change(["session.endAfter": "20m"])
    try settings.change(["session.endAfter": "21m"])
    try settings.change(["timeZone": "Europe/Berlin"])
    let found = try loader.load()
    #expect(found.session.endAfter.seconds == 21 * 60 && found.timeZone.identifier == "Europe/Berlin")
    #expect(try settings.list().filter(\.isChanged).map(\.key).sorted() == ["session.endAfter", "timeZone"])
  }

  @Test(arguments: ["settings.yaml", "open.yaml"])
  func testDamagedFile_IsSetAside(name: String) throws {
    let loader = try loader()
    let (damaged, other) = (
      folder.path(name), folder.path(name == "settings.yaml" ? "open.yaml" : "settings.yaml")
    )
    #expect(loader.setAsideDamagedFiles().isEmpty)
    let text = "alerts.batteryPercent: \"18\"\nalerts.stress"
    try text.write(toFile: damaged, atomically: true, encoding: .utf8)
    try (name == "settings.yaml" ? "http:\n  host: \"::1\"\n" : "alerts.batteryPercent: \"7\"\n")
      .write(toFile: other, atomically: true, encoding: .utf8)
    #expect(throws: ConfigurationLoader.Problems.self) { try loader.load() }
    #expect(loader.setAsideDamagedFiles().count == 1)
    #expect(try String(contentsOfFile: damaged + ".damaged", encoding: .utf8) == text)
    #expect(FileManager.default.fileExists(atPath: other) && !FileManager.default.fileExists(atPath: damaged))
    _ = try loader.load()
  }

  /// Opening a pipe would wait for a writer.
  @Test func testPipeInPlaceOfTheSettings_IsSetAside() throws {
    let loader = try loader()
    #expect(mkfifo(folder.path("settings.yaml"), 0o600) == 0)
    #expect(throws: ConfigurationLoader.Problems.self) { try loader.load() }
    #expect(loader.setAsideDamagedFiles().count == 1)
    _ = try loader.load()
  }

  /// Characters that YAML has no place for, or reads as something else.
  @Test(arguments: ["\u{7F}", "\u{FFFE}", "\u{85}", "a\u{2028}b", "\u{FEFF}", "\u{1}"])
  func testValueThatCannotBeReadAgain_ChangesNothing(text: String) throws {
    let loader = try loader()
    let settings = StationSettings(loader: loader, database: folder.path("t.sqlite"))
    try settings.change(["session.endAfter": "20m"])
    #expect(throws: DashboardError.self) { try settings.change(["sensors.ecg": text]) }
    #expect(try loader.load().session.endAfter.seconds == 1200)
    #expect(try settings.list().filter(\.isChanged).map(\.key) == ["session.endAfter"])
  }

  /// Each answer that a change was stored is true.
  @Test func testConcurrentChanges_AreAllStored() async throws {
    let loader = try loader()
    let settings = StationSettings(loader: loader, database: folder.path("t.sqlite"))
    let changes = [
      ("session.endAfter", "20m"), ("retention.raw", "30d"), ("alerts.batteryPercent", "18"),
      ("alerts.stressMinutes", "44"),
      ("alerts.silenceMinutes", "9"), ("timeZone", "Europe/Berlin"),
    ]
    for _ in 0..<5 {
      try await withThrowingTaskGroup { group in
        for (key, value) in changes { group.addTask { try settings.change([key: value]) } }
        try await group.waitForAll()
      }
      #expect(Set(try settings.list().filter(\.isChanged).map(\.key)) == Set(changes.map(\.0)))
      for (key, _) in changes { try settings.change([key: nil]) }
    }
  }

  /// Neither a page nor a log repeats what nobody else is to know.
  @Test func testProblems_NameNoSecret() throws {
    let secrets = ["hunter2", "987654321", "Anna"]
    for text in [
      "alerts:\n  webhook: ftp://u:hunter2@hooks.example/T\nradio:\n  passkey: \"987654321\"\n",
      "alerts:\n  webhook: \"https://u:hunter2@hooks.example\n", "radio:\n  passkey: \"987654321\u{1}\"\n",
      "radio:\n  straps: [Annas Strap, \"C8:DE\n", "radio: [\n  passkey: 987654321", "hunter2: &a [*b]\n- x",
      "alerts:\n  webhook: hunter2\n  webhook: hunter2\n",
    ] {
      let loader = try loader(text)
      let problems = #expect(throws: ConfigurationLoader.Problems.self) { try loader.load() }
      let words = try #require(problems).description
      #expect(!secrets.contains { words.contains($0) }, "\(words)")
      let settings = StationSettings(loader: loader, database: folder.path("t.sqlite"))
      #expect(throws: DashboardError(.conflict, "the configuration has problems, which must be solved first: \(words)"))
      {
        try settings.list()
      }
    }
  }

  @Test func testDamagedConfigurationFile_StaysWhereItIs() throws {
    let loader = try loader("alerts:\n  batteryPercent: lots\n")
    #expect(loader.setAsideDamagedFiles().isEmpty)
    #expect(throws: ConfigurationLoader.Problems.self) { try loader.load() }
  }
}
