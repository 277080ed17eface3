import FakeBlueZ
import Foundation
import TachogramTestKit
import Testing

/// The fake daemon for people: captures, verbs as text, and another program's view of the bus.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZToolTests {
  private func capture(_ name: String) throws -> FakeCapture {
    try FakeCapture(path: FixtureLocator.capture(name))
  }

  @Test
  func testCapture_PlaysEveryNotificationToItsStrap() async throws {
    try await BusClient.with { client in
      let capture = try capture("rest").with(straps: 2)
      #expect(capture.straps.count == 2)
      #expect(capture.straps[0].address != capture.straps[1].address)
      for strap in capture.straps {
        let path = try await client.connect(strap)
        let heartRate = try await client.characteristic("2a37", of: path)
        try await client.call(heartRate, "GattCharacteristic1", "StartNotify")
      }
      let sent = capture.steps.count { if case .notify = $0.content { true } else { false } }
      await capture.play(on: client.fake, speed: 1e9)
      #expect(sent == 2 * 360)
      #expect(await client.fake.world.delivered == sent)
    }
  }

  @Test(arguments: [
    ("connect 1", "ok"), ("flood 1 20", "ok"), ("flood 1", "error usage: flood N COUNT"), ("release", "ok"),
    ("power on", "ok"), ("rfkill off", "ok"), ("restart 0.01", "ok"), ("restart -1", "error usage: restart [SECONDS]"),
    ("drop 1", "ok"), ("silent 1", "ok"), ("resume 1", "ok"), ("away 1", "ok"), ("advertise 1", "ok"),
    ("signal 1 -70", "ok"), ("battery 1 12", "ok"), ("value 1 00 3C", "ok"), ("forget 1", "ok"), ("poison 1", "ok"),
    ("heal 1", "ok"), ("lose 1 3", "ok"), ("refuse Connect Failed le-connection-abort-by-local", "ok"),
    ("stall Pair", "ok"), ("clear", "ok"), ("power off", "ok"), ("rfkill", "ok"), ("unplug", "ok"), ("plug", "ok"),
    ("secure 1 123456", "ok"), ("secure 1 1000000", "error usage: secure N PASSKEY"), ("end", "ok"),
    ("kill", "ok"), ("start", "ok"), ("restart", "ok"), ("", ""),
    ("drop", "error which strap? There are 1 … 1"), ("drop 2", "error which strap? There are 1 … 1"),
    ("signal 1 x", "error usage: signal N DBM"), ("value 1 0", "error usage: value N HEX"),
    ("power", "error usage: power on|off"), ("dance", "error there is no verb \"dance\"; help lists them"),
  ])
  func testConsole_AnswersEveryLine(line: String, answer: String) async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      _ = try await client.connect(strap)
      let console = FakeBlueZConsole(fake: client.fake, straps: [strap])
      #expect(await console.run(line) == answer)
    }
  }

  @Test
  func testConsoleStatus_ShowsTheStraps() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      _ = try await client.connect(strap)
      let console = FakeBlueZConsole(fake: client.fake, straps: [strap])
      #expect(await console.run("status") == "ok\n1  D0:5A:00:00:00:01  Fake HR 1  connected")
    }
  }

  @Test
  func testOtherProgram_SeesTheSameObjects() async throws {
    try await BusClient.with { client in
      _ = try await client.connect(FakeStrap())
      let output = try await ChildProcess.run(
        URL(fileURLWithPath: "/usr/bin/gdbus"),
        [
          "call", "--address", client.bus.address, "--dest", "org.bluez", "--object-path", "/", "--method",
          "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
        ], environment: ["LC_ALL": "C.UTF-8"]
      ).text
      #expect(output.contains("'/org/bluez/hci0/dev_D0_5A_00_00_00_01/service000c/char000d'"))
      #expect(output.contains("'Connected': <true>"))
      #expect(output.contains("'Percentage': <byte 0x5a>"))
    }
  }
}
