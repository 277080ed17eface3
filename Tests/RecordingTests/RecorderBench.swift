import Recording
import Repository
import TachogramCore
import TachogramTestKit

/// A recorder that a test feeds, in time that passes when the test says so: each step ends when all of it was dealt with.
struct RecorderBench {
  private let clock: ManualTimeSource
  private let source = FedSource()
  private let running: Task<[LiveRecorder.Ended], any Error>
  private var news: AsyncStream<StrapEvent>.Iterator
  let recorder: LiveRecorder

  init(database: TachogramDatabase, options: LiveOptions, clock: ManualTimeSource) {
    let (heard, told) = AsyncStream.makeStream(of: StrapEvent.self)
    let recorder = LiveRecorder(source: source, options: options, time: clock, database: database) { news in
      told.yield(news.event)
    }
    self.recorder = recorder
    self.clock = clock
    running = Task { try await recorder.run() }
    news = heard.makeAsyncIterator()
  }

  /// Lets the recorder hear events.
  mutating func hear(_ events: some Collection<StrapEvent>) async {
    source.emit(events)
    for _ in events { _ = await news.next() }
  }

  /// Lets time pass, and everything be stored that is due.
  func pass(seconds: Int64) async {
    await pass(microseconds: seconds * 1_000_000)
  }

  /// The same, with the time in microseconds.
  func pass(microseconds: Int64) async {
    await clock.waitForSleeper()
    clock.advance(microseconds: microseconds)
    await clock.waitForSleeper()
  }

  /// Ends the recording in order.
  func end() async throws -> [LiveRecorder.Ended] {
    await clock.waitForSleeper()
    await source.stop()
    return try await running.value
  }
}
