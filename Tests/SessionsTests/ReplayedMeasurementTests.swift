import Capture
import GATT
import Repository
import Sessions
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Captures with measurement streams that are replayed into a database.
@Suite("Measurements of replayed captures")
struct ReplayedMeasurementTests {
  private static let (control, data): (UInt16, UInt16) = (0x21, 0x24)

  /// Two minutes of heart rate and acceleration. The stream starts before the first heart rate.
  private static func capture() -> [UInt8] {
    let sleeper = SimulatedSleeper()
    var script = PacketScript()
    script.interval = 360_000
    script.connect()
    script.discover()
    script.subscribe()
    let request = PolarControlPointRequest.encode(.start(.acceleration, PolarSettings([.sampleRate([25])])))
    script.attribute([0x12] + PacketScript.word(control) + request, isReceived: false)
    let response = PolarControlPointResponse(to: .start, .acceleration, status: .success)
    script.attribute(
      [0x1D] + PacketScript.word(control) + PolarControlPointResponse.encode(response), isReceived: true)
    for number in 0..<84 {
      script.notify(sleeper.accelerationFrame(number), handle: data)
      for _ in 0..<3 { script.notify([0x16, 0x3C, 0xF0, 0x01]) }
    }
    script.disconnect()
    return CaptureWrapping.btsnoop(script)
  }

  @Test func testEntriesAndMovement_AreStoredOnce() throws {
    let database = try TachogramDatabase.inMemory()
    let bytes = Self.capture()
    for _ in 0..<2 {
      try MemoryFile.withPath(bytes) { path in
        _ = try ReplayRunner(
          file: InputFile(path: path), handle: nil, straps: [], person: nil, kind: .sdnn, pace: ReplayPace(factor: nil),
          database: database, events: nil
        ).run()
      }
      let session = try #require(try SessionRepository(database: database).sessions().first?.description)
      var entries: [SensorEntry] = []
      try SensorRepository(database: database).forEachEntry(of: session.id) { entries += $0 }
      #expect(entries.map(\.sequence) == Array(0..<85))
      guard case .started? = entries.first?.content else {
        Issue.record("the first entry is the start of the stream")
        return
      }
      let movement = try SleepRepository(database: database).movement(of: session.id)
      #expect(movement.map { $0.time.microseconds(since: session.monotonicStart) / 30_000_000 } == [0, 1, 2, 3])
      #expect(movement.dropLast().allSatisfy { $0.coverage > 0.9 })
      #expect(movement[0].intensity > 3 * movement[2].intensity, "the person turned at the beginning")
    }
  }
}
