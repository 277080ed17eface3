import Foundation
import Station
import TachogramCore
import Testing

@testable import tachogram

/// What the program that is told of alerts gets to know.
struct AlertHookTests {
  @Test func testMessage_HasNoAddress() async throws {
    let limits = try await ConfigurationLoader(file: nil, environment: [:]).load().alerts
    var rules = AlertRules()
    let strap = AlertRules.Strap(name: "C8:DE:AD:BE:EF:01", batteryPercent: 7)
    let alerts = rules.update([strap], AlertRules.Machine(), limits: limits, at: WallTime(microseconds: 0))
    let alert = try #require(alerts.first)
    let message = try AlertHook.message(alert)
    let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: String]
    #expect(object?["strap"] == "…:01")
    #expect(object?["text"] == "…:01: the battery is at 7 %.")
    #expect(!message.contains("C8:DE"))
  }

  @Test func testEnvironment_HasNothingOfTheStation() {
    let environment = AlertHook.environment([
      "PATH": "/usr/bin", "TACHOGRAM_RADIO_STRAPS": "C8:DE:AD:BE:EF:01", "TACHOGRAM_RADIO_PASSKEY": "123456",
      "NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "JOURNAL_STREAM": "8:1",
    ])
    #expect(environment == ["PATH": "/usr/bin"])
  }
}
