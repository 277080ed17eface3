import DBus
import FakeBlueZ
import Foundation
import TachogramCore
import TachogramTestKit
import Testing

/// `live --broadcast` as a user runs it, in a room with thirty straps.
@Suite(.timeLimit(.minutes(5)))
struct BroadcastCommandTests {
  private static let straps = (1...30).map { FakeStrap(number: UInt8($0)) }

  /// Runs the program in the room, each strap broadcasting once, until its output fulfils `isEnough`, and interrupts it.
  private func run(
    _ arguments: [String], monitors: Bool, until isEnough: (String) -> Bool,
  ) async throws -> (output: String, status: Int32, fake: FakeWorld) {
    let bus = try await PrivateBus.start()
    defer { bus.close() }
    var configuration = FakeBlueZConfiguration()
    if monitors { configuration.monitorTypes = ["or_patterns"] }
    let fake = try await FakeBlueZ.start(on: .address(bus.address), configuration: configuration)
    for strap in Self.straps { await fake.advertise(strap) }
    let folder = try TemporaryFolder()
    let process = try Program.start(
      ["live", "--broadcast", "--wait", "--bus", bus.address, "--database", folder.path("t.sqlite")] + arguments)
    let isSearching = await fake.waitUntil { world in
      world.isMonitored == monitors
        && world.adapters.values.contains { adapter in
          adapter.discoverers.wantDuplicates
        }
    }
    #expect(isSearching)
    for (number, strap) in Self.straps.enumerated() {
      await fake.broadcast(strap, heartRate: 60 + UInt8(number))
    }
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if isEnough(text) { process.interrupt() }
    }
    let ending = await process.end()
    _ = await fake.waitUntil { !$0.isDiscovering && !$0.isMonitored }
    let world = await fake.world
    await fake.stop()
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite")))
    return (text, ending.status, world)
  }

  @Test(arguments: [true, false])
  func testRoomOfStraps_IsShownWithoutAConnection(monitors: Bool) async throws {
    let result = try await run(["--format", "ndjson"], monitors: monitors) { text in
      Self.straps.allSatisfy { text.contains("\"\($0.name)\"") }
    }
    #expect(result.status == 130)
    #expect(result.fake.calls["Connect"] == nil)
    var rates: [String: Int] = [:]
    for line in result.output.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard object["event"] as? String == "broadcast", let strap = object["strap"] as? String else { continue }
      rates[strap] = object["heartRate"] as? Int
      #expect(object["level"] == nil && object["rr1024"] == nil)
    }
    let expected = Self.straps.enumerated().map { ($0.element.name, 60 + $0.offset) }
    #expect(rates == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func testNamedStrap_IsTheOnlyOneShown() async throws {
    let result = try await run([Self.straps[4].name, Self.straps[6].address.description], monitors: false) { text in
      text.contains("Fake HR 5  ") && text.contains("Fake HR 7  ")
    }
    #expect(result.status == 130)
    let others = result.output.split(separator: "\n").filter { line in
      line.contains("Fake HR") && !line.contains("Fake HR 5  ") && !line.contains("Fake HR 7  ")
    }
    #expect(others.isEmpty)
  }

  @Test func testDuration_EndsIt() async throws {
    let result = try await run(["--duration", "1s"], monitors: true) { _ in false }
    #expect(result.status == 0 && result.output.contains("bpm"))
  }

  // MARK: - What does not go together

  @Test(arguments: [
    ["live", "--all"], ["live", "--broadcast", "--all", "Polar"], ["live", "--broadcast", "--replay", "x.btsnoop"],
    ["live", "--broadcast", "--format", "json"], ["record", "--broadcast"],
    ["record", "--broadcast", "--format", "ndjson"],
  ])
  func testWhatDoesNotGoTogether_IsBadUsage(arguments: [String]) async throws {
    #expect(try await Program.run(arguments).status == 2)
  }

  @Test func testRecordingBroadcasts_IsRefusedWithTheReason() async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.run(["record", "--broadcast", "--database", folder.path("t.sqlite")])
    #expect(result.status == 2 && result.output.isEmpty)
    for word in ["RR intervals", "no HRV and no stress", "live --broadcast"] { #expect(result.errors.contains(word)) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite")))
  }
}
