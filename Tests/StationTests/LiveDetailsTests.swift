import GATT
import Recording
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard
@testable import Presentation

struct LiveDetailsTests {
  /// What the recorder makes of so many beats of about a second each, longer and shorter every four seconds, and
  /// never twice the same.
  private static func news(beats: Int64) async throws -> [LiveRecorder.Update] {
    func value(_ second: Int64) -> [UInt8] {
      let interval = RRInterval(ticks: (second % 4 < 2 ? 988 : 1048) + UInt16(second * second % 37 / 3))
      return HeartRateMeasurementCodec.encode(HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([interval])))
    }
    func event(_ second: Int64, _ content: StrapEvent.Content) -> StrapEvent {
      StrapEvent(
        strap: 0, monotonic: MonotonicTime(microseconds: second * 1_000_000),
        wall: WallTime(microseconds: second * 1_000_000), content: content)
    }
    let address = BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random)
    let script =
      [
        event(0, .identified(StrapIdentity(address: address))),
        event(0, .linkUp(handle: 0x12, handleSource: .discovered, bootID: nil)),
      ] + (1...beats).map { event($0, .notification(value($0))) }
    let all = Mutex<[LiveRecorder.Update]>([])
    _ = try await LiveRecorder(
      source: ScriptedSource(script), options: LiveOptions(isStored: false), time: ManualTimeSource(), database: nil
    ) { news in all.withLock { $0.append(news) } }.run()
    return all.withLock { $0 }
  }

  @Test func testMetrics_AreComputedEveryFiveSeconds() async throws {
    let details = LiveDetails()
    let told = Mutex<[HRVMetrics]>([])
    var seconds: [Int64] = []
    for news in try await Self.news(beats: 130) {
      guard let task = details.handle(news, publish: { metrics in told.withLock { $0.append(metrics) } }) else {
        continue
      }
      await task.value
      seconds.append(news.event.monotonic.microseconds / 1_000_000)
    }
    #expect(seconds == Array(stride(from: 1, through: 126, by: 5)))
    let metrics = told.withLock { $0 }
    #expect(metrics.count == seconds.count)
    #expect(metrics.first?.reason(for: .hf) != nil && metrics.first?[.hf] == nil)
    let hf = try #require(metrics.last?[.hf])
    #expect(hf > 100)
  }

  @Test func testStrapThatWasForgotten_BeginsAnew() async throws {
    let details = LiveDetails()
    let news = try await Self.news(beats: 2).filter { !$0.batch.beats.isEmpty }
    #expect(news.count == 2)
    await details.handle(news[0]) { _ in }?.value
    #expect(details.handle(news[1]) { _ in } == nil)
    details.forget(0)
    let told = Mutex(false)
    let again = details.handle(news[1]) { _ in told.withLock { $0 = true } }
    #expect(again != nil)
    await again?.value
    #expect(told.withLock { $0 })
  }

  @Test func testDetail_SaysWhatIsKnownAndWhyTheRestIsNot() async throws {
    let news = try await Self.news(beats: 90)
    let compute = try #require(news.last?.live?.detail())
    let detail = API.Detail(compute(), wording: Wording.text)
    #expect(try #require(detail.hf) > 100)
    #expect(detail.lf == nil)
    #expect(detail.unavailable?["lf"]?.hasPrefix("needs 120 s of intervals, there are ") == true)
    #expect(detail.unavailable?["hf"] == nil)
  }
}
