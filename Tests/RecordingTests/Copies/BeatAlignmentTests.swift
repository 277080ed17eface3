import TachogramTestKit
import Testing

@testable import Recording

/// Which beats of two recordings are the same.
struct BeatAlignmentTests {
  private static let second: Int64 = 1_000_000

  /// Beats of a rhythm that does not repeat itself, from a start in seconds.
  static func beats(_ count: Int, from start: Int64 = 1000, seed: UInt64 = 1) -> [RecordedBeat] {
    var random = SplitMix64(seed: seed)
    var time = start * second
    return (0..<count).map { _ in
      let ticks = UInt16(700 + random.next() % 300)
      time += Int64(ticks) * 15_625 / 16
      return RecordedBeat(microseconds: time, ticks: ticks)
    }
  }

  /// As a file in milliseconds keeps them, which begins at a whole second.
  private static func inMilliseconds(_ beats: [RecordedBeat], cutting: Bool = false) -> [RecordedBeat] {
    guard let first = beats.first else { return [] }
    var time = first.microseconds / second * second - Int64(first.ticks) * 15_625 / 16
    return beats.map { beat in
      let milliseconds = Double(beat.ticks) / 1.024
      let kept = cutting ? milliseconds.rounded(.down) : milliseconds.rounded()
      time += Int64(kept * 1000)
      return RecordedBeat(microseconds: time, ticks: UInt16((kept * 1.024).rounded()))
    }
  }

  private func align(_ one: [RecordedBeat], _ two: [RecordedBeat], tolerance: Int64 = 5_000_000) -> BeatAlignment? {
    BeatAlignment(one, two, startTolerance: tolerance)
  }

  private func expect(
    _ alignment: BeatAlignment?, matched: Int, onlyFirst: Int, onlySecond: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let counts = alignment.map { [$0.matched, $0.onlyFirst, $0.onlySecond] }
    #expect(counts == [matched, onlyFirst, onlySecond], sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func testRoundedIntervals_AreTheSame(cutting: Bool) {
    let beats = Self.beats(20_000)
    let rounded = Self.inMilliseconds(beats, cutting: cutting)
    expect(align(beats, rounded), matched: 20_000, onlyFirst: 0, onlySecond: 0)
    expect(align(rounded, beats), matched: 20_000, onlyFirst: 0, onlySecond: 0)
  }

  @Test func testAPartOfARecording_IsFoundWhereverItLies() {
    let beats = Self.beats(5000)
    for tolerance in [5 * Self.second, 60 * Self.second] {
      for range in [0..<100, 2000..<2400, 4990..<5000, 0..<4000, 50..<5000] {
        let part = Array(beats[range])
        let (some, all) = (range.count, 5000 - range.count)
        expect(align(part, beats, tolerance: tolerance), matched: some, onlyFirst: 0, onlySecond: all)
        expect(align(beats, part, tolerance: tolerance), matched: some, onlyFirst: all, onlySecond: 0)
      }
    }
  }

  @Test func testBeatsThatAFormatLost_AreCounted() {
    let beats = Self.beats(3000)
    var fewer = beats
    fewer.removeSubrange(2000..<2010)
    fewer.remove(at: 1000)
    fewer.remove(at: 0)
    expect(align(beats, fewer), matched: 2988, onlyFirst: 12, onlySecond: 0)
    // Half an hour that one receiver did not hear.
    var hole = beats
    hole.removeSubrange(500..<2500)
    expect(align(beats, hole), matched: 1000, onlyFirst: 2000, onlySecond: 0)
  }

  @Test func testTimesThatDriftApart_StayTheSame() {
    let beats = Self.beats(30_000)
    // 300 ppm, and 40 pauses that a format rounds to whole seconds.
    let drifted = beats.enumerated().map { place, beat in
      RecordedBeat(
        microseconds: beat.microseconds + beat.microseconds / 3333 + Int64(place / 750) * 490_000, ticks: beat.ticks)
    }
    expect(align(beats, drifted), matched: 30_000, onlyFirst: 0, onlySecond: 0)
    // A pause of two minutes, of which a format without gaps knows nothing.
    let paused = beats.enumerated().map { place, beat in
      RecordedBeat(microseconds: beat.microseconds + (place < 9000 ? 0 : 120 * Self.second), ticks: beat.ticks)
    }
    expect(align(beats, paused), matched: 30_000, onlyFirst: 0, onlySecond: 0)
  }

  @Test func testOtherRecordings_AreNotAligned() {
    let beats = Self.beats(2000)
    // Another heart at the same time, the same beats at another time, and nothing at all.
    #expect(align(beats, Self.beats(2000, seed: 2)) == nil)
    #expect(align(beats, Self.beats(2000, from: 1010)) == nil)
    #expect(align(beats, Self.beats(2000, from: 90_000)) == nil)
    #expect(align(beats, []) == nil)
    #expect(align([], beats) == nil)
    // A beginning alike, as of two measurements that were edited, and then nothing.
    #expect(align(beats, Array(beats[..<40]) + Self.beats(2000, from: 1034, seed: 3)) == nil)
  }

  @Test func testEqualBeats_AreAlignedByTime() {
    let beats = (1...400).map { RecordedBeat(microseconds: Int64($0) * Self.second, ticks: 1024) }
    expect(align(beats, beats), matched: 400, onlyFirst: 0, onlySecond: 0)
    expect(align(Array(beats[100...]), beats), matched: 300, onlyFirst: 0, onlySecond: 100)
    // Three seconds later, within what clocks may be apart, the same beats lie next to each other.
    let later = beats.map { RecordedBeat(microseconds: $0.microseconds + 3 * Self.second, ticks: $0.ticks) }
    expect(align(later, beats), matched: 397, onlyFirst: 3, onlySecond: 3)
  }

  /// Whatever is done to a copy, no beat is counted twice and none is forgotten.
  @Test(arguments: 1...40)
  func testCounts_AddUp(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let beats = Self.beats(600 + Int(random.next() % 1500), seed: seed)
    var other = random.next() % 2 == 0 ? beats : Self.inMilliseconds(beats)
    for _ in 0..<(random.next() % 30) where !other.isEmpty {
      let place = Int(random.next() % UInt64(other.count))
      if random.next() % 2 == 0 {
        other.remove(at: place)
      } else {
        other.insert(RecordedBeat(microseconds: other[place].microseconds, ticks: 333), at: place)
      }
    }
    guard let alignment = align(beats, other) else { return #expect(Bool(false), "the beginnings were not found") }
    #expect(alignment.matched + alignment.onlyFirst == beats.count)
    #expect(alignment.matched + alignment.onlySecond == other.count)
    #expect(alignment.matched >= beats.count * 8 / 10 - 64)
  }

  @Test func testIntervalsFinerThanMilliseconds_AreToldFromRoundedOnes() {
    let rounded = (1...63_999).map { RecordedBeat(microseconds: 0, ticks: UInt16((Double($0) * 1.024).rounded())) }
    #expect(!rounded.contains { $0.isFinerThanMilliseconds })
    let all = (1...1024).map { RecordedBeat(microseconds: 0, ticks: UInt16($0)) }
    #expect(all.count { $0.isFinerThanMilliseconds } == 24)
  }
}
