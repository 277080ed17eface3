import GATT
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Beats of optical sensors, whose notifications have no RR intervals.
@Suite("Pulse intervals")
struct PulseIntervalTests {
  private static let rate: [UInt8] = [0x00, 60]

  /// A sensor that notifies a heart rate each second, and sends the pulses that it has found in a frame every five.
  private struct Sensor {
    var seconds = 120
    /// How late frames are, in ms, in turn: the sensor finds pulses seconds after they occurred.
    var delays: [Int64] = [2_000]
    var notification = PulseIntervalTests.rate
    var lost: Set<Int> = []
    /// Changes the samples of a frame.
    var change: (_ frame: Int, inout [PolarPPISample]) -> Void = { _, _ in }

    static func interval(_ beat: Int) -> UInt16 { UInt16(900 + beat * 37 % 113) }

    /// The entries, and the intervals of the frames that arrived.
    func entries() -> (entries: [LedgerEntry], sent: [UInt16]) {
      var entries: [LedgerEntry] = []
      var sent: [UInt16] = []
      var (beat, end, frame) = (0, Int64(0), 0)
      func add(_ content: LedgerEntry.Content, at milliseconds: Int64) {
        entries.append(
          LedgerEntry(
            sequence: Int64(entries.count), link: 0, monotonic: MonotonicTime(microseconds: milliseconds * 1000),
            wall: WallTime(microseconds: milliseconds * 1000), content: content))
      }
      for second in 0..<seconds {
        let now = Int64(second) * 1000
        add(.notification(notification), at: now)
        guard second >= 25, second % 5 == 0 else { continue }
        var samples: [PolarPPISample] = []
        while end + Int64(Self.interval(beat)) <= now - delays[frame % delays.count] {
          samples.append(PolarPPISample(heartRate: 60, interval: Self.interval(beat), errorEstimate: 5))
          end += Int64(Self.interval(beat))
          beat += 1
        }
        change(frame, &samples)
        if !lost.contains(frame) {
          sent += samples.map(\.interval)
          add(.pulseIntervals(PolarPPICodec.encode(samples, time: 0)), at: now + 300)
        }
        frame += 1
      }
      return (entries, sent)
    }
  }

  private static func run(_ entries: [LedgerEntry]) -> (batch: SessionBatch, report: SessionReport) {
    let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var deriver = SessionDeriver(session, baseline: .default())
    deriver.ingest(entries)
    deriver.finish()
    return (deriver.drainRows(), deriver.report())
  }

  @Test func testFrames_GiveTheirIntervalsAsBeats() throws {
    let (entries, sent) = Sensor().entries()
    let (batch, report) = Self.run(entries)
    #expect(sent.count > 80)
    #expect(batch.beats.count == sent.count && batch.gaps.isEmpty)
    #expect(zip(batch.beats, sent).allSatisfy { abs($0.rr.milliseconds - Double($1)) <= 0.49 })
    #expect(report.notifications.total == 120 && report.notifications.withoutRR == 120)
    #expect(report.notifications.pulseFrames == 19 && report.notifications.malformedPulseFrames == 0)
    // The first beats began with the session, and the last ones did not arrive.
    #expect((0.9...1).contains(report.series.beats.coverage))
    let expected = HRVBatch.metrics(of: sent.map(Double.init))
    for metric in [HRVMetric.sdnn, .rmssd, .meanNN] {
      let (found, reference) = (try #require(report.series.raw[metric]), try #require(expected[metric]))
      #expect(abs(found - reference) <= 0.005 * reference, "\(metric)")
    }
  }

  /// Optical sensors find pulses at times that depend on the wave.
  @Test func testDelayThatVaries_IsNoGap() {
    let (entries, sent) = Sensor(delays: [2_000, 4_500, 1_500, 3_000]).entries()
    let (batch, _) = Self.run(entries)
    #expect(batch.beats.count == sent.count && batch.gaps.isEmpty)
  }

  @Test func testLostFrame_IsAGap() throws {
    let (entries, sent) = Sensor(lost: [8]).entries()
    let (batch, _) = Self.run(entries)
    #expect(batch.beats.count == sent.count)
    let gap = try #require(batch.gaps.first)
    #expect(batch.gaps.count == 1 && gap.reason == .lost && (3.5...6.5).contains(gap.seconds))
  }

  @Test func testEndOfTheLink_IsAGap() {
    var (entries, _) = Sensor().entries()
    let index = entries.count / 2
    entries[index].content = .linkDown(reason: 0x08)
    for later in entries.indices where later > index { entries[later].link = 1 }
    #expect(Self.run(entries).batch.gaps.map(\.reason) == [.linkDown])
  }

  @Test func testBlockedPulses_AreMarkedAndEmptyOnesAreLeftOut() {
    let (entries, sent) = Sensor(change: { frame, samples in
      guard frame == 5 else { return }
      samples[1].isBlocked = true
      samples.append(PolarPPISample(heartRate: 0, interval: 0, errorEstimate: 0))
    }).entries()
    let (batch, _) = Self.run(entries)
    #expect(batch.beats.count == sent.count - 1)
    #expect(batch.beats.count { $0.marks.isWithoutContact } == 1)
  }

  /// A chest strap that sends both: the intervals of its notifications are better.
  @Test(arguments: [0, 60])
  func testNotificationsWithIntervals_AreUsedInstead(from second: Int) {
    var (entries, _) = Sensor().entries()
    for index in entries.indices where entries[index].content == .notification(Self.rate) {
      guard entries[index].monotonic.microseconds >= Int64(second) * 1_000_000 else { continue }
      entries[index].content = .notification([0x10, 60, 0x00, 0x04])
    }
    let (batch, report) = Self.run(entries)
    let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0.content) })
    let last = batch.beats.suffix(60 - second / 2)
    #expect(
      last.allSatisfy { beat in
        if case .notification = kinds[beat.ledgerSequence] { beat.rr.ticks == 1024 } else { false }
      })
    #expect(batch.gaps.count == (second == 0 ? 0 : 1))
    #expect(report.series.beats.coverage <= 1 && report.notifications.pulseFrames == 19)
  }

  @Test func testMalformedFrames_AreCountedAndKept() {
    var (entries, sent) = Sensor().entries()
    let frames = entries.indices.filter { if case .pulseIntervals = entries[$0].content { true } else { false } }
    entries[frames[10]].content = .pulseIntervals([3, 0, 0])
    let (batch, report) = Self.run(entries)
    #expect(report.notifications.malformedPulseFrames == 1 && batch.gaps.count == 1)
    #expect((sent.count - 7...sent.count - 3).contains(batch.beats.count))
    sent.removeAll()
    entries = frames.map { entries[$0] }
    for index in entries.indices { entries[index].content = .pulseIntervals(Array(repeating: 0xFF, count: index)) }
    #expect(Self.run(entries).batch.beats.isEmpty)
  }

  /// Frames of a large packet have more intervals than places for marks.
  @Test func testLongFrame_KeepsItsMarks() {
    let samples = (0..<83).map {
      PolarPPISample(heartRate: 60, interval: 1000, errorEstimate: 5, isBlocked: $0 == 70)
    }
    let entries = [
      LedgerEntry(
        sequence: 0, link: 0, monotonic: MonotonicTime(microseconds: 0), wall: WallTime(microseconds: 0),
        content: .notification(Self.rate)),
      LedgerEntry(
        sequence: 1, link: 0, monotonic: MonotonicTime(microseconds: 90_000_000),
        wall: WallTime(microseconds: 90_000_000), content: .pulseIntervals(PolarPPICodec.encode(samples, time: 0))),
    ]
    let beats = Self.run(entries).batch.beats
    #expect(beats.count == 83)
    #expect(beats.indices.filter { beats[$0].marks.isWithoutContact } == Array(63..<83))
  }
}
