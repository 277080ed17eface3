import ArgumentParser
import DBus
import FakeBlueZ
import Foundation
import TachogramTestKit

/// A Bluetooth daemon with straps and without a radio: plays a capture on a private or another bus, and reads verbs from stdin.
@main
struct TachogramFakeBlueZ: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram-fake-bluez",
    abstract: "A Bluetooth daemon with heart-rate straps, for trying tachogram without a radio.",
    discussion: """
      The first line on stdout is the address of the bus. Then every line on stdin is a verb and is answered by "ok" or \
      "error …"; "help" lists the verbs. It runs until "quit", Ctrl-C or SIGTERM.
      """)

  @Option(help: "Use this bus instead of a private one: system, session or an address.")
  var bus: String?

  @Option(help: "Write the address of the bus into this file too, while it can be used.")
  var addressFile: String?

  @Option(help: "The capture file whose straps are played, over and over.")
  var capture: String

  @Option(help: "How many straps: fewer than in the capture, or copies of them.")
  var straps: Int?

  @Option(help: "How many times faster than captured.")
  var speed = 1.0

  @Flag(help: "The straps want to be paired: they show the passkey 123456.")
  var secure = false

  @Flag(help: "The straps broadcast their heart rates, as Polar's do, besides offering them.")
  var broadcast = false

  @Flag(help: "The straps offer acceleration and ECG, as a Polar H10, of a person who sleeps.")
  var measurements = false

  @Flag(help: "Offer advertisement monitors, as daemons do that run with --experimental.")
  var monitors = false

  @Flag(help: "The straps advertise when discovery begins, and then only when \"advertise N\" says so.")
  var still = false

  @Flag(help: "Answer at once, instead of after the times of a real daemon.")
  var instant = false

  func validate() throws {
    guard (1...200).contains(straps ?? 1) else { throw ValidationError("--straps is 1 … 200") }
    guard speed.isFinite, speed > 0 else { throw ValidationError("--speed is a number above 0") }
  }

  func run() async throws {
    let played = try prepared()
    let own = bus == nil ? try await PrivateBus.start() : nil
    let address = own.map { DBusBus.address($0.address) } ?? Self.bus(bus ?? "")
    // Created before anything is printed, so that no signal leaves the private bus behind.
    let ending = Ending()
    defer { own?.close() }
    var configuration = instant ? FakeBlueZConfiguration() : .lifelike
    configuration.passesTime = !still
    if monitors { configuration.monitorTypes = ["or_patterns"] }
    let fake = try await FakeBlueZ.start(on: address, configuration: configuration)
    for strap in played.straps { await fake.advertise(strap) }
    let line = address.address + "\n"
    defer { if let addressFile { try? FileManager.default.removeItem(atPath: addressFile) } }
    if let addressFile { try line.write(toFile: addressFile, atomically: true, encoding: .utf8) }
    Self.say(line)
    let playing = Task {
      while !Task.isCancelled {
        await played.play(on: fake, speed: speed, isBroadcast: broadcast)
        try await Task.sleep(for: .seconds(1))
      }
    }
    let measuring = Task {
      if measurements { await played.playMeasurements(on: fake, speed: speed) }
    }
    let console = FakeBlueZConsole(fake: fake, straps: played.straps)
    let listening = Task {
      for await line in Self.lines() {
        if line == "quit" { return ending.end() }
        let answer = await console.run(line)
        if !answer.isEmpty { Self.say(answer + "\n") }
      }
    }
    await ending.wait()
    listening.cancel()
    playing.cancel()
    measuring.cancel()
    await fake.stop()
  }

  private func prepared() throws -> FakeCapture {
    let read = try FakeCapture(path: capture)
    var played = straps.map { read.with(straps: $0) } ?? read
    if secure { played.secure(passkey: 123_456) }
    if measurements { played.addMeasurements() }
    return played
  }

  private static func bus(_ text: String) -> DBusBus {
    switch text {
    case "system": .system
    case "session": .session
    default: .address(text)
    }
  }

  private static func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Returns the lines of stdin. The end of stdin does not end the program, since a daemon in the background has none.
  private static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
    }
    return lines
  }
}
