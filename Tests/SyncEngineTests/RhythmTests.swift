import SyncEngine
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
}
