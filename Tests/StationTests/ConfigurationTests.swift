import Foundation
import TachogramTestKit
import Testing

@testable import Station

@Suite("Configuration")
struct ConfigurationTests {
  private static func problems(_ loader: ConfigurationLoader) -> [String] {
    do {
      _ = try loader.load()
      return []
    } catch {
      return error.lines
    }
  }

  private static func file(_ text: String) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    try text.write(toFile: folder.path("config.yaml"), atomically: true, encoding: .utf8)
    return (folder, folder.path("config.yaml"))
  }

  @Test func testDefaults_AreRight() async throws {
    let configuration = try ConfigurationLoader(file: nil, environment: [:]).load()
    #expect(configuration.http.host == "127.0.0.1")
    #expect(configuration.http.isLoopback)
    #expect(configuration.http.port == 8620)
    #expect(configuration.retention.sessions == nil)
    #expect(configuration.session.endAfter.seconds == 600)
    for setting in Setting.all { #expect(setting.defaultValue != "") }
    #expect(Set(Setting.all.map(\.path)).count == Setting.all.count)
    #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
  }

  @Test func testAlerts_SayWhoIsTold() async throws {
    let (folder, path) = try Self.file(
      "alerts:\n  hook: /bin/tell\n  webhook: https://example.org/a?b=c\n  desktop: true\n")
    defer { withExtendedLifetime(folder) {} }
    let alerts = try ConfigurationLoader(file: path, environment: [:]).load().alerts
    #expect(alerts.hook == "/bin/tell")
    #expect(alerts.webhook == "https://example.org/a?b=c")
    #expect(alerts.isOnDesktop)
    #expect(try !ConfigurationLoader(file: nil, environment: [:]).load().alerts.isOnDesktop)
  }

  /// As when all keys of a section are comments.
  @Test func testSectionsWithoutKeys_AreNothing() async throws {
    let (folder, path) = try Self.file("http:\nradio: ~\nsession:\n  # endAfter: 5m\n")
    defer { withExtendedLifetime(folder) {} }
    #expect(Self.problems(ConfigurationLoader(file: path, environment: [:])) == [])
    let (other, wrong) = try Self.file("htttp:\n")
    defer { withExtendedLifetime(other) {} }
    #expect(Self.problems(ConfigurationLoader(file: wrong, environment: [:])).count == 1)
  }

  @Test(arguments: [
    "webhook: example.org", "webhook: ftp://example.org", "webhook: 'https://'", "webhook: 7", "desktop: perhaps",
    "desktop: 2",
  ])
  func testAlertsThatCannotBe_AreRefused(line: String) async throws {
    let (folder, path) = try Self.file("alerts:\n  \(line)\n")
    defer { withExtendedLifetime(folder) {} }
    let problems = Self.problems(ConfigurationLoader(file: path, environment: [:]))
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("\(path):2: alerts.") == true)
  }

  /// Flags over the environment over the file over the defaults.
  @Test func testSources_AreLaidOverEachOther() async throws {
    let (folder, path) = try Self.file(
      "http:\n  port: 1111\n  names: [pi.local, heart]\nsession:\n  endAfter: 5m\n  commitInterval: 2s\n")
    let loader = ConfigurationLoader(
      file: path, flags: ["http.port": "3333"],
      environment: [
        "TACHOGRAM_HTTP_PORT": "2222", "TACHOGRAM_SESSION_END_AFTER": "7m", "TACHOGRAM_RADIO_STRAPS": "A,B",
      ])
    let configuration = try loader.load()
    #expect(configuration.http.port == 3333)
    #expect(configuration.session.endAfter.seconds == 420)
    #expect(configuration.storage.commit.seconds == 2)
    #expect(configuration.remarks == ["\(path):6: session.commitInterval is called storage.commit now."])
    #expect(configuration.http.names == ["pi.local", "heart"])
    #expect(configuration.radio.straps == ["A", "B"])
    let origins = Dictionary(uniqueKeysWithValues: try loader.values().map { ($0.setting.path, $0.origin) })
    #expect(origins["http.port"] == .flag)
    #expect(origins["session.endAfter"] == .environment("TACHOGRAM_SESSION_END_AFTER"))
    #expect(origins["storage.commit"] == .file("\(path):6"))
    #expect(origins["session.hrv"] == .default)
    withExtendedLifetime(folder) {}
  }

  /// As version 0.1.0 reads them.
  @Test func testSpacesInLists_AreNoPartOfTheEntries() throws {
    let (folder, path) = try Self.file("http:\n  names: pi.local,  heart \n")
    let loader = ConfigurationLoader(
      file: path, flags: ["radio.straps": "A, B C ,"], environment: ["TACHOGRAM_RADIO_STRAPS": "D"])
    #expect(try loader.load().http.names == ["pi.local", "heart"])
    #expect(try loader.load().radio.straps == ["A", "B C"])
    let spaces = ConfigurationLoader(file: nil, environment: ["TACHOGRAM_RADIO_STRAPS": " "])
    #expect(try spaces.load().radio.straps == [])
    let empty = ConfigurationLoader(file: nil, environment: ["TACHOGRAM_RADIO_STRAPS": "A,"])
    #expect(Self.problems(empty) == ["TACHOGRAM_RADIO_STRAPS (radio.straps) has an empty entry."])
    withExtendedLifetime(folder) {}
  }

  /// A configuration that version 0.1.0 takes starts the station.
  @Test(arguments: [
    ("20s", "20s", ""), ("1h", "5m", ", and 1h is taken for 5m"), ("365d", "5m", ", and 365d is taken for 5m"),
  ])
  func testFormerPath_HoldsAndIsRemarked(written: String, holds: String, clamped: String) async throws {
    let (folder, path) = try Self.file("logLevel: info\n")
    let variable = "TACHOGRAM_SESSION_COMMIT_INTERVAL"
    for flags in [[:], ["session.commitInterval": written]] {
      let loader = ConfigurationLoader(
        file: path, flags: flags, environment: flags.isEmpty ? [variable: written] : [variable: "soon"])
      let configuration = try loader.load()
      #expect(configuration.storage.commit.text == holds)
      let place = flags.isEmpty ? "\(variable) (session.commitInterval)" : "session.commitInterval"
      #expect(configuration.remarks == ["\(place) is called storage.commit now\(clamped)."])
    }
    withExtendedLifetime(folder) {}
  }

  /// All keys that version 0.1.0 has, as its packaged file shows them.
  @Test func testConfigurationOfTheFirstVersion_HoldsWithOneRemark() throws {
    let (folder, path) = try Self.file(
      """
      timeZone: UTC
      logLevel: info
      http:
        host: 127.0.0.1
        port: 8620
        names: []
      radio:
        straps: []
      session:
        endAfter: 10m
        commitInterval: 1s
        hrv: sdnn
      retention:
        sessions: forever
        windows: forever
        trends: forever
      snapshots:
        every: 1h
        keep: 6
        folder: /tmp/hh/snap
      disk:
        lowMegabytes: 200
      alerts:
        stressMinutes: 10
        batteryPercent: 15
        silenceMinutes: 0
        hook: /bin/true
        webhook: https://example.org/alerts
        desktop: false

      """)
    let configuration = try ConfigurationLoader(file: path, environment: [:]).load()
    #expect(configuration.remarks.count == 1)
    #expect(configuration.remarks.first?.hasSuffix("session.commitInterval is called storage.commit now.") == true)
    #expect(configuration.storage.commit.seconds == 1)
    #expect(configuration.snapshots.every.seconds == 3600)
    #expect(configuration.alerts.hook == "/bin/true")
    withExtendedLifetime(folder) {}
  }

  /// The path of now goes before the former one, wherever one place has both.
  @Test func testBothPaths_GiveTheNewOne() async throws {
    let (folder, path) = try Self.file("session:\n  commitInterval: 2s\nstorage:\n  commit: 3s\n")
    let configuration = try ConfigurationLoader(file: path, environment: [:]).load()
    #expect(configuration.storage.commit.seconds == 3)
    #expect(
      configuration.remarks == [
        "\(path):2: session.commitInterval is not used, since \(path):4: storage.commit is given."
      ])
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: ["0s", "301s", "1d", "now"])
  func testCommitOutOfRange_IsRefused(text: String) async throws {
    let (folder, path) = try Self.file("storage:\n  commit: \(text)\n")
    #expect(
      Self.problems(ConfigurationLoader(file: path, environment: [:])) == [
        "\(path):2: storage.commit is \"\(text)\"; it is a length of time from 1s to 5m."
      ])
    withExtendedLifetime(folder) {}
  }

  @Test func testWrongKeysAndValues_AreAllToldWithTheirPlaces() async throws {
    let (folder, path) = try Self.file(
      "http:\n  prot: 80\n  port: many\nretention:\n  sessions: soon\nunheard: of\ntimeZone: Mars/Olympus\n")
    let problems = Self.problems(
      ConfigurationLoader(file: path, environment: ["TACHOGRAM_LOG_LEVEL": "loud"]))
    #expect(
      problems == [
        "\(path):2: unknown key http.prot; did you mean http.port?",
        "\(path):6: unknown key unheard; `tachogram config show` lists all keys.",
        "\(path):7: timeZone is \"Mars/Olympus\"; it is no time zone that this machine knows.",
        "TACHOGRAM_LOG_LEVEL (logLevel) is \"loud\"; it is one of debug, info, notice, warning, error.",
        "\(path):3: http.port is \"many\"; it is a whole number from 0 to 65535.",
        "\(path):5: retention.sessions is \"soon\"; it is a length of time like 30d, or forever.",
      ])
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    ("timeZone: Mars/Olympus\n", ":1: timeZone is \"Mars/Olympus\"; it is no time zone that this machine knows."),
    ("radio:\n  adapter: hci0\n", ":2: radio.adapter is \"hci0\"; it is no address like C8:DE:AD:BE:EF:01."),
    ("- a\n- b\n", ": is not a list of keys and values, as in `http:`."),
  ])
  func testProblem_NamesThePlace(text: String, problem: String) async throws {
    let (folder, path) = try Self.file(text)
    #expect(Self.problems(ConfigurationLoader(file: path, environment: [:])) == [path + problem])
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: ["http: [", "http:\n\tport: 1\n", "a: b: c\n", "\u{0}", "http:\n  port:\n", "? [1]\n: 2\n"])
  func testBrokenFile_IsToldWithItsName(text: String) async throws {
    let (folder, path) = try Self.file(text)
    let problems = Self.problems(ConfigurationLoader(file: path, environment: [:]))
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { $0.hasPrefix(path) })
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: ["", "# nothing\n", "---\n"])
  func testEmptyFile_ChangesNothing(text: String) async throws {
    let (folder, path) = try Self.file(text)
    #expect(try ConfigurationLoader(file: path, environment: [:]).load().http.port == 8620)
    withExtendedLifetime(folder) {}
  }

  @Test func testMissingFile_IsTold() async throws {
    let problems = Self.problems(ConfigurationLoader(file: "/nonexistent/config.yaml", environment: [:]))
    #expect(problems == ["/nonexistent/config.yaml: cannot be read; is it there, and may this user read it?"])
  }

  /// What the package installs, with the marks of the comments taken away: every key is one that there is.
  @Test func testExample_HasOnlyKeysThatThereAre() async throws {
    let example = try FixtureLocator.folder().deletingLastPathComponent().appendingPathComponent(
      "packaging/config.yaml")
    let lines = try String(contentsOf: example, encoding: .utf8).split(separator: "\n")
    let keys = lines.filter { $0.wholeMatch(of: #/#(  )*[a-zA-Z]+:.*/#) != nil }.map { $0.dropFirst() }
    let (folder, path) = try Self.file(keys.joined(separator: "\n") + "\n")
    let values = try ConfigurationLoader(file: path, environment: [:]).values()
    let written = Set(values.filter { if case .file = $0.origin { true } else { false } }.map(\.setting.path))
    #expect(written.count >= Setting.all.count - 8)
    for value in values where value.setting.defaultValue != nil && written.contains(value.setting.path) {
      #expect(value.text == value.setting.defaultValue, "\(value.setting.path)")
    }
    withExtendedLifetime(folder) {}
  }

  @Test func testFile_IsLookedForInTheUsersFolder() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("tachogram"), withIntermediateDirectories: true)
    let path = folder.path("tachogram/config.yaml")
    try "http:\n  port: 1234\n".write(toFile: path, atomically: true, encoding: .utf8)
    let loader = ConfigurationLoader(file: nil, environment: ["XDG_CONFIG_HOME": folder.url.path])
    #expect(loader.path == path)
    #expect(try loader.load().http.port == 1234)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("localhost", true), ("0.0.0.0", false),
    ("127.evil.example", false), ("192.168.1.2", false),
  ])
  func testLoopback_IsKnown(host: String, isLoopback: Bool) async throws {
    let loader = ConfigurationLoader(file: nil, flags: ["http.host": host], environment: [:])
    #expect(try loader.load().http.isLoopback == isLoopback)
  }

  /// Who waits for longer than a session lasts waits for nothing.
  @Test(arguments: [("10", "10m", 1), ("9", "10m", 0), ("0", "1m", 0), ("15", "10m", 1)])
  func testSilenceThatCannotBeTold_IsRefused(minutes: String, endAfter: String, count: Int) async throws {
    let flags = ["alerts.silenceMinutes": minutes, "session.endAfter": endAfter]
    let problems = Self.problems(ConfigurationLoader(file: nil, flags: flags, environment: [:]))
    #expect(problems.count == count)
    #expect(problems.allSatisfy { $0.hasPrefix("alerts.silenceMinutes is \(minutes)") && $0.contains(endAfter) })
  }

  /// A list, a section or nothing where a value belongs.
  @Test(arguments: ["http:\n  port: [9000]\n", "http:\n  port:\n    a: 1\n", "logLevel: [info]\n"])
  func testValueOfAnotherShape_IsNotTakenForTheDefault(text: String) async throws {
    let (folder, path) = try Self.file(text)
    defer { withExtendedLifetime(folder) {} }
    #expect(!Self.problems(ConfigurationLoader(file: path, environment: [:])).isEmpty)
  }

  /// A few lines of aliases stand for more values than a machine has memory.
  @Test func testAliasesOfAliases_AreNotUnfolded() async throws {
    let maps = ["a0: &a0 {x: 1}"] + (1..<60).map { "a\($0): &a\($0) {x: *a\($0 - 1), y: *a\($0 - 1)}" }
    let lists = ["b0: &b0 [1]"] + (1..<60).map { "b\($0): &b\($0) [*b\($0 - 1), *b\($0 - 1)]" }
    // Of the lists each is an unknown key, and all but the first have entries that are lists.
    for (lines, count, words) in [(maps, 1, "has more than 10000 values"), (lists, 119, "unknown key b0")] {
      let (folder, path) = try Self.file(lines.joined(separator: "\n"))
      defer { withExtendedLifetime(folder) {} }
      let problems = Self.problems(ConfigurationLoader(file: path, environment: [:]))
      #expect(problems.count == count)
      #expect(problems.first?.contains(words) == true)
    }
  }

  @Test(arguments: [
    ("radio:\n  straps:\n    - [H10]\n", ":2: radio.straps has an entry that is not a single value."),
    ("http:\n  port: [[1]]\n", ":2: http.port is a list; it takes one value."),
    (String(repeating: "#", count: 2 << 20), ": has more than 1 MiB; is it another file?"),
  ])
  func testFileOfAnotherShape_IsRefused(text: String, problem: String) async throws {
    let (folder, path) = try Self.file(text)
    defer { withExtendedLifetime(folder) {} }
    #expect(Self.problems(ConfigurationLoader(file: path, environment: [:])) == [path + problem])
  }

  /// As in `--config <(…)`: what is read of a pipe is gone.
  @Test func testPipe_IsReadOnce() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("http:\n  port: 1234\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try ConfigurationLoader(file: path, environment: [:]).load().http.port == 1234)
    withExtendedLifetime(pipe) {}
  }

  @Test func testCertificateAndKey_GoTogether() async throws {
    let (folder, path) = try Self.file("http:\n  certificate: page.pem\n  key: page.key\n")
    defer { withExtendedLifetime(folder) {} }
    let http = try ConfigurationLoader(file: path, environment: [:]).load().http
    #expect(http.tls?.certificate == "page.pem")
    #expect(http.tls?.key == "page.key")
    #expect(try ConfigurationLoader(file: nil, environment: [:]).load().http.tls == nil)
    for (key, words) in [
      ("http.certificate", "http.key is not set; it goes with http.certificate."),
      ("http.key", "http.certificate is not set; it goes with http.key."),
    ] {
      let loader = ConfigurationLoader(file: nil, flags: [key: "page.pem"], environment: [:])
      #expect(Self.problems(loader) == [words])
    }
  }
}
