import SyncEngine
import TachogramCore
import Testing

@Suite("The rhythm of synchronisation")
struct RhythmTests {
  @Test func testPauses_GrowWithFailures_UpToALimit_AndEndWithSuccess() {
    var rhythm = SyncRhythm()
    #expect(rhythm.pause(random: 0.5) == SyncRhythm.usual)
    var pauses: [Duration] = []
    for _ in 0..<20 {
      rhythm.fail()
      pauses.append(rhythm.pause(random: 0.5))
    }
    #expect(Array(pauses.prefix(4)) == [.seconds(10), .seconds(20), .seconds(30), .seconds(30)])
    #expect(pauses.last == SyncRhythm.longest && rhythm.isRetrying)
    rhythm.succeed()
    #expect(rhythm.pause(random: 0.5) == SyncRhythm.usual && !rhythm.isRetrying)
  }

  @Test func testStoreThatAsksForAPause_IsObeyed_WithinALimit() {
    var rhythm = SyncRhythm()
    rhythm.fail(retryAfter: .seconds(120))
    #expect(rhythm.pause(random: 0) == .seconds(120))
    rhythm.fail(retryAfter: .seconds(1_000_000))
    #expect(rhythm.pause(random: 0) == SyncRhythm.longestAsked)
    rhythm.fail(retryAfter: .seconds(-5))
    #expect(rhythm.pause(random: 0) == .seconds(30) * 0.75)
  }

  @Test func testJitter_SpreadsByAQuarter() {
    let rhythm = SyncRhythm()
    #expect(rhythm.pause(random: 0) == SyncRhythm.usual * 0.75 && rhythm.pause(random: 1) == SyncRhythm.usual * 1.25)
    #expect(rhythm.pause(random: .infinity) == SyncRhythm.usual * 1.25)
  }

  @Test func testOnceADay_IsTheRestOfTheDay_AndAnHourAtMost() {
    var rhythm = SyncRhythm()
    let last = WallTime(microseconds: 1_774_742_400_000_000)
    func pause(_ seconds: Int, random: Double = 0) -> Duration {
      rhythm.dailyPause(after: last, now: last.advanced(by: .seconds(seconds)), random: random)
    }
    #expect(pause(0) == .seconds(86_400) && pause(80_000) == .seconds(6_400) && pause(86_400) == .zero)
    #expect(pause(0, random: 1) == .seconds(90_000))
    // A clock that stepped back.
    #expect(pause(-10) == .zero)
    #expect(rhythm.dailyPause(after: nil, now: last, random: 0.5) == .zero)
    rhythm.fail()
    #expect(pause(0) < .seconds(60))
  }
}
