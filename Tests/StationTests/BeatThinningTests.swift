import TachogramCore
import Testing

@testable import Station

struct BeatThinningTests {
  private static func beat(_ sequence: Int64, _ ticks: UInt16, isMarked: Bool = false) -> Beat {
    Beat(
      sequence: sequence, time: MonotonicTime(microseconds: sequence * 1_000_000), rr: RRInterval(ticks: ticks),
      ledgerSequence: sequence, marks: isMarked ? .noContact : [])
  }

  private static func thinned(_ beats: [Beat], points: Int, artifacts: Set<Int64> = []) -> [Beat] {
    var thinning = BeatThinning(total: Int64(beats.count), points: points) { artifacts.contains($0) }
    var kept: [Beat] = []
    for beat in beats { thinning.append(beat) { kept.append($0) } }
    thinning.finish { kept.append($0) }
    return kept
  }

  @Test func testFewBeats_AreAllKept() {
    let beats = (0..<100).map { Self.beat($0, 1000) }
    #expect(Self.thinned(beats, points: 100) == beats)
    #expect(Self.thinned([], points: 10) == [])
  }

  @Test(arguments: [10, 333, 5000])
  func testExtremes_AreKeptInOrder(points: Int) {
    let beats = (0..<10_000).map { Self.beat($0, UInt16(700 + ($0 * 7919) % 601)) }
    let kept = Self.thinned(beats, points: points)
    #expect(kept.count <= points + 2)
    #expect(kept.count >= points / 2)
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(kept.map(\.rr.ticks).min() == 700)
    #expect(kept.map(\.rr.ticks).max() == 1300)
  }

  @Test func testWhatStandsOut_IsKept() {
    let beats = (0..<10_000).map { Self.beat($0, 1000, isMarked: $0 == 4321) }
    let kept = Self.thinned(beats, points: 100, artifacts: [1234, 1235])
    for sequence in [1234, 1235, 4321] as [Int64] { #expect(kept.contains { $0.sequence == sequence }) }
  }
}
