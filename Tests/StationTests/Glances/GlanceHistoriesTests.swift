import Glances
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

@Suite("Stored values for glances", .timeLimit(.minutes(5)))
struct GlanceHistoriesTests {
  private let clock = ManualTimeSource()

  /// Asks for everything 200 times at once.
  private func crowd(_ histories: GlanceHistories) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          _ = await histories.directory()
          _ = await histories.history(of: [.nobody, .person("Anna"), .person("Bert")][number % 3])
        }
      }
    }
  }

  @Test func testCrowd_ReadsEachPartOnceInFiveMinutesAndOneAtATime() async {
    let source = CountingGlanceSource()
    let histories = GlanceHistories(source: source, time: clock)
    for round in 1...3 {
      for _ in 0..<3 {
        await crowd(histories)
        clock.advance(seconds: 99)
      }
      #expect(source.counts.directories == round)
      #expect(source.counts.histories == [.nobody: round, .person("Anna"): round, .person("Bert"): round])
      #expect(source.counts.mostRunning == 1)
      clock.advance(seconds: 3)
    }
    #expect(await histories.history(of: .person("Anna")).points.first?.heartRate == 4)
  }

  @Test func testFailure_KeepsWhatWasReadAndIsRepeatedAfterAMinute() async {
    let source = CountingGlanceSource()
    let histories = GlanceHistories(source: source, time: clock)
    source.fails = true
    await crowd(histories)
    #expect(await histories.directory() == nil)
    #expect(await histories.history(of: .person("Anna")) == GlanceHistory())
    #expect(source.counts.directories == 1 && source.counts.histories[.person("Anna")] == 1)
    source.fails = false
    clock.advance(seconds: 60)
    #expect(await histories.history(of: .person("Anna")).last?.heartRate == 52)
    #expect(await histories.directory()?.persons == ["Anna", "Bert"])
    source.fails = true
    clock.advance(seconds: 300)
    #expect(await histories.history(of: .person("Anna")).last?.heartRate == 52)
    #expect(source.counts.histories[.person("Anna")] == 3)
  }

  @Test func testDeletion_IsSeenAtOnce() async {
    let source = CountingGlanceSource()
    let histories = GlanceHistories(source: source, time: clock)
    #expect(await histories.history(of: .person("Anna")).last?.heartRate == 51)
    histories.forget()
    #expect(await histories.history(of: .person("Anna")).last?.heartRate == 52)
  }

  /// What was read before a deletion is not kept after it.
  @Test func testDeletionDuringARead_IsSeenAsWell() async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let source = CountingGlanceSource {
      begin.yield()
      for await _ in ends { break }
    }
    let histories = GlanceHistories(source: source, time: clock)
    async let history = histories.history(of: .person("Anna"))
    for await _ in begun { break }
    histories.forget()
    end.finish()
    #expect(await history.last?.heartRate == 52)
  }
}

@Suite("Cache of glances")
struct GlanceCacheTests {
  private let start = MonotonicTime(microseconds: 0)

  @Test func testPart_IsDueAfterItsTime() {
    var cache = GlanceCache()
    let part = GlanceCache.Part.history(.person("Anna"))
    #expect(cache.isDue(part, at: start))
    cache.store(.history(GlanceHistory(), of: .person("Anna")), at: start)
    #expect(!cache.isDue(part, at: start.advanced(by: .seconds(299))))
    #expect(cache.isDue(part, at: start.advanced(by: .seconds(300))))
    #expect(cache.isDue(.history(.nobody), at: start) && cache.isDue(.directory, at: start))
    cache.store(.failure(part), at: start)
    #expect(!cache.isDue(part, at: start.advanced(by: .seconds(59))))
    #expect(cache.isDue(part, at: start.advanced(by: .seconds(60))))
  }

  @Test func testPersonThatIsNoLongerStored_IsForgotten() {
    var cache = GlanceCache()
    for subject in [GlanceSubject.person("Anna"), .person("Bert"), .nobody] {
      cache.store(
        .history(
          GlanceHistory(last: GlanceReading(time: WallTime(microseconds: 1), heartRate: 60, isCurrent: false)),
          of: subject), at: start)
    }
    cache.store(.directory(GlanceDirectory(persons: ["Bert"])), at: start)
    #expect(cache.count == 3)
    #expect(cache.history(of: .person("Anna")) == GlanceHistory() && cache.isDue(.history(.person("Anna")), at: start))
    #expect(cache.history(of: .person("Bert")).last != nil && cache.history(of: .nobody).last != nil)
  }
}
