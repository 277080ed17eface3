import BlueZ
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit
import Testing

/// Random faults one after the other, with streams in any state.
@Suite("Measurement streams in disorder", .timeLimit(.minutes(5)))
struct SensorDisorderTests {
  private static let refused = FakeBlueZError.failed("Operation failed with ATT error: 0x80")

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func testStreams_RunAgainAfterAnyFaults(seed: UInt64) async throws {
    // Given
    var random = SplitMix64(seed: seed)
    let bench = try await SensorBench(speed: 500, [SensorBench.acceleration, SensorBench.ecg])
    let fake = bench.fake
    await bench.start(2)
    // When
    for number in 0..<40 {
      if Task.isCancelled { break }
      switch random.next() % 9 {
      case 0:
        await fake.dropLink(bench.strap)
        await Self.becomeLive(bench)
      case 1: await bench.measurements.end(.acceleration, .ecg)
      case 2: await bench.measurements.end(.ecg)
      case 3: await fake.refuse("WriteValue", Self.refused)
      case 4: await fake.refuse("StartNotify", Self.refused)
      case 5: await fake.refuse("AcquireNotify", Self.refused)
      case 6: await bench.measurements.refuseStarts(number % 2 == 0 ? .inCharger : nil)
      case 7: await bench.measurements.notify([2, UInt8(number)])
      default: await bench.measurements.notify([0, UInt8(number)])
      }
    }
    await fake.clearFaults()
    await bench.measurements.refuseStarts(nil)
    await fake.dropLink(bench.strap)
    await Self.becomeLive(bench)
    await bench.measurements.running(.acceleration, .ecg)
    // Then
    for frame in [[2, 200], [0, 201]] as [[UInt8]] {
      while await bench.source.events.frames().last != frame, !Task.isCancelled {
        await bench.measurements.notify(frame)
        await Task.yield()
      }
    }
    let events = await bench.source.stop()
    Self.expectOrder(events)
  }

  /// Lets the strap notify its heart rate until the source receives it.
  private static func becomeLive(_ bench: SensorBench) async {
    let heard = await bench.source.notified
    while await bench.source.notified <= heard, !Task.isCancelled {
      await bench.fake.subscribed(bench.strap)
      await bench.fake.notify(bench.strap, [0, 60])
      await Task.yield()
    }
  }

  /// On each link, a stream is started before its frames.
  private static func expectOrder(_ events: [StrapEvent]) {
    var isUp = false
    var started: Set<UInt8> = []
    for event in events {
      switch event.content {
      case .linkUp: (isUp, started) = (true, [])
      case .linkDown: isUp = false
      case .sensor(let content):
        #expect(isUp)
        switch content {
        case .started(let request, _): started.insert(request[1])
        case .frame(let frame): #expect(started.contains(frame[0]))
        case .stopped: break
        }
      default: break
      }
    }
  }
}
