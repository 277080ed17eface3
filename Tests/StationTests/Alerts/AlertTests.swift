import DBus
import Dispatch
import Foundation
import HTTPClient
import Logging
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// What leaves the station with an alert, and how.
@Suite(.timeLimit(.minutes(5)))
struct AlertTests {
  private static func alert() async throws -> AlertRules.Alert {
    let limits = try ConfigurationLoader(file: nil, environment: [:]).load().alerts
    var rules = AlertRules()
    let strap = AlertRules.Strap(name: "C8:DE:AD:BE:EF:01", batteryPercent: 7)
    let alerts = rules.update([strap], AlertRules.Machine(), limits: limits, at: WallTime(microseconds: 0))
    return try #require(alerts.first)
  }

  /// A program that writes what it was started with and what it read into `report`, and ends with `status`.
  private static func program(
    _ folder: TemporaryFolder, status: Int32 = 0
  ) async throws -> (path: String, report: String) {
    let (path, report) = (folder.path("program"), folder.path("report"))
    try await ProgramFile.write("#!/bin/sh\n{ echo \"$*\"; cat; } >'\(report)'\nexit \(status)\n", to: path)
    return (path, report)
  }

  @Test func testMessage_HasNoAddress() async throws {
    let message = try AlertMessage(try await Self.alert()).json()
    let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: String]
    #expect(object?["strap"] == "…:01")
    #expect(object?["text"] == "…:01: the battery is at 7 %.")
    #expect(object?["kind"] == "batteryLow")
    #expect(!message.contains("C8:DE"))
  }

  // MARK: - A program

  @Test func testEnvironment_HasNothingOfTheStation() {
    let environment = AlertProgram.environment([
      "PATH": "/usr/bin", "TACHOGRAM_RADIO_STRAPS": "C8:DE:AD:BE:EF:01", "TACHOGRAM_RADIO_PASSKEY": "123456",
      "NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "JOURNAL_STREAM": "8:1",
    ])
    #expect(environment == ["PATH": "/usr/bin"])
  }

  @Test func testProgram_ReadsTheAlert() async throws {
    let folder = try TemporaryFolder()
    let program = try await Self.program(folder)
    let end = await AlertProgram(path: program.path, timeout: .seconds(60)).run(reading: "{}\n")
    #expect(end == .succeeded)
    #expect(try String(contentsOfFile: program.report, encoding: .utf8) == "\n{}\n")
  }

  @Test func testProgramThatReadsNothing_Succeeds() async {
    #expect(await AlertProgram(path: "/bin/true", timeout: .seconds(60)).run(reading: "{}") == .succeeded)
  }

  @Test func testProgramThatFails_SaysSo() async {
    let end = await AlertProgram(path: "/bin/sh", arguments: ["-c", "exit 3"], timeout: .seconds(60)).run(reading: "")
    #expect(end == .failed(status: 3))
  }

  @Test func testProgramThatDoesNotEnd_IsEnded() async {
    let end = await AlertProgram(path: "/bin/sleep", arguments: ["3600"], timeout: .milliseconds(1)).run(reading: "")
    #expect(end == .failed(status: SIGKILL))
  }

  @Test func testProgramThatIsNotThere_IsToldOf() async {
    guard case .notStarted = await AlertProgram(path: "/nonexistent", timeout: .seconds(1)).run(reading: "") else {
      Issue.record("it was started")
      return
    }
  }

  // MARK: - The web

  /// A web server that answers one request after the other with `statuses`.
  private static func receiver(_ statuses: [Int]) throws -> WebServer {
    let left = Mutex(statuses)
    return try WebServer { _ in WebServer.Response(left.withLock { $0.isEmpty ? 500 : $0.removeFirst() }) }
  }

  /// Without the proxies of whoever runs the tests.
  private static func webhook(
    _ server: WebServer, sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) -> AlertWebhook {
    var options = HTTPClient.Options()
    options.usesProxies = false
    return AlertWebhook(url: server.base + "/alerts", client: HTTPClient(options), sleep: sleep)
  }

  @Test func testWebhook_PostsTheMessage() async throws {
    let server = try Self.receiver([200])
    defer { server.stop() }
    #expect(await Self.webhook(server).post("{\"kind\":\"noData\"}") == nil)
    let request = try #require(server.received.first)
    #expect(request.method == "POST")
    #expect(request.path == "/alerts")
    #expect(request.headers["content-type"] == "application/json")
    #expect(String(decoding: request.body, as: UTF8.self) == "{\"kind\":\"noData\"}")
  }

  @Test func testWebhookThatIsNotReady_IsPostedToAgain() async throws {
    let server = try Self.receiver([503, 429, 204])
    defer { server.stop() }
    let pauses = Mutex<[Duration]>([])
    let webhook = Self.webhook(server) { pause in pauses.withLock { $0.append(pause) } }
    #expect(await webhook.post("{}") == nil)
    #expect(server.received.count == 3)
    #expect(pauses.withLock { $0 } == [.seconds(1), .seconds(2)])
  }

  @Test func testWebhookThatRefuses_SaysWhyAndIsLeftAlone() async throws {
    let server = try Self.receiver([404])
    defer { server.stop() }
    #expect(await Self.webhook(server).post("{}") == "the host answered with status 404")
    #expect(server.received.count == 1)
  }

  @Test func testWebhookThatIsNotThere_IsTriedForAQuarterOfAnHour() async throws {
    let server = try Self.receiver([])
    server.stop()
    let waited = Mutex(Duration.zero)
    let problem = await Self.webhook(server) { pause in waited.withLock { $0 += pause } }.post("{}")
    #expect(problem != nil)
    #expect((500...900).contains(waited.withLock { $0.components.seconds }))
  }

  // MARK: - The desktop

  @Test func testDesktop_ShowsTheText() async throws {
    let bus = try await PrivateBus.start()
    let desktop = try await DBusConnection.open(.address(bus.address))
    defer { desktop.close() }
    let shown = Mutex<DBusIncomingCall?>(nil)
    try desktop.export(DBusObjectPath(validating: "/org/freedesktop/Notifications")) { call in
      shown.withLock { $0 = call }
      return [.uint32(1)]
    }
    try await desktop.requestName("org.freedesktop.Notifications")
    try await DesktopNotification(bus: .address(bus.address)).show("Strap: the battery is at 7 %.")
    let call = try #require(shown.withLock { $0 })
    #expect(call.member == "Notify")
    #expect(call.arguments.count == 8)
    #expect(call.arguments[3] == .string("Strap: the battery is at 7 %."))
  }

  @Test func testDesktopThatIsNotThere_IsAnError() async throws {
    let bus = try await PrivateBus.start()
    await #expect(throws: DBusError.self) {
      try await DesktopNotification(bus: .address(bus.address)).show("text")
    }
  }
}
