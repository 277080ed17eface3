import Dashboard
import StressKit
import TachogramCore
import TachogramTestKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A stored session whose beats are generated from its number.
struct MockSession: Sendable {
  let number: Int
  let start: WallTime
  /// In seconds.
  let length: Double
  let strap: KnownStrap
  let person: String
  let isRunning: Bool

  var id: String { Self.id(0xABC_0000 + number) }

  static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Returns sessions of about six weeks, the newest first. The first is running.
  static func all(of straps: [MockStrap], at now: WallTime) -> [MockSession] {
    (0..<56).map { number in
      let isAnna = number % 3 != 1
      return MockSession(
        number: number, start: now.advanced(byMicroseconds: Int64(-754e6 - Double(number) * 19.5 * 3600e6)),
        length: number == 0 ? 754 : number == 3 ? 120 : Double(1500 + number * 977 % 3600),
        strap: straps[isAnna ? 0 : 1].known, person: isAnna ? "Anna" : "Bert", isRunning: number == 0)
    }
  }

  private var isAnna: Bool { person == "Anna" }

  /// Returns the beats and gaps, with times from 0.
  func beats() -> (beats: [Beat], gaps: [BeatGap]) {
    var heart = MockHeart(
      mean: isAnna ? 920 : 760, depth: isAnna ? 40 : 18, breathsPerMinute: 13, noise: 16, seed: UInt64(number))
    var (beats, gaps, at): ([Beat], [BeatGap], Double) = ([], [], 0)
    while at < length {
      if gaps.count < number % 3, at > Double(gaps.count + 1) * length / 4 {
        gaps.append(
          BeatGap(
            sequence: Int64(gaps.count), start: Self.time(at), end: Self.time(at + 45),
            reason: gaps.isEmpty ? .linkDown : .lost, ledgerSequence: 0))
        at += 45
      }
      let usual = heart.interval(at: at).milliseconds + 60 * sin(at / 600)
      at += usual / 1000
      let isMarked = beats.count % 611 == 600
      beats.append(
        Beat(
          sequence: Int64(beats.count), time: Self.time(at),
          rr: MockHeart.interval(usual * (isMarked ? 0.3 : isEctopic(beats.count) ? 0.75 : 1)), ledgerSequence: 0,
          marks: isMarked ? .tooShort : []))
    }
    return (beats, gaps)
  }

  func isEctopic(_ index: Int) -> Bool { index % 173 == 150 }

  private static func time(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(microseconds: Int64((seconds * 1e6).rounded()))
  }

  /// Returns a window for each minute, except those with fewer than ten unmarked beats.
  func windows(_ length: WindowLength) -> [(window: HRVWindow, end: WallTime)] {
    let beats = beats().beats
    var first = 0
    return stride(from: length.seconds, through: Int(self.length), by: 60).compactMap { end in
      let (from, to) = (Int64(end) * 1_000_000 - length.microseconds, Int64(end) * 1_000_000)
      while first < beats.count, beats[first].time.microseconds < from { first += 1 }
      let sound = beats[first...].prefix { $0.time.microseconds < to }.filter(\.marks.isEmpty).map(\.rr.milliseconds)
      guard sound.count >= 10 else { return nil }
      let coverage = min(1, sound.reduce(0, +) / 1000 / Double(length.seconds))
      var metrics = HRVBatch.metrics(of: sound)
      if coverage < 0.8 {
        var values = HRVValues()
        (values.meanNN, values.meanHeartRate) = (metrics.values.meanNN, metrics.values.meanHeartRate)
        metrics.values = values
      }
      return (
        HRVWindow(
          length: length, end: MonotonicTime(microseconds: to), coverage: coverage, artifactShare: 0.01,
          metrics: metrics), start.advanced(byMicroseconds: to)
      )
    }
  }

  var summary: API.Session {
    let wave = sin(Double(number))
    let (sdnn, rate) = ((isAnna ? 48 : 31) + 8 * wave, (isAnna ? 64 : 79) - 4 * wave)
    let description = SessionDescription(
      id: id, strap: StrapIdentity(address: strap.address), origin: .live, person: person,
      label: number % 4 == 1 ? "sleep" : nil, start: start, monotonicStart: MonotonicTime(microseconds: 0))
    let record = SessionRecord(
      description: description, end: start.advanced(byMicroseconds: Int64(length * 1e6)),
      isComplete: number % 9 != 4, entryCount: Int64(length), beatCount: Int64(length * rate / 60),
      gapCount: Int64(number % 3))
    let means =
      length < 300
      ? SessionSummary.Means()
      : SessionSummary.Means(
        meanHeartRate: rate, sdnn: sdnn, rmssd: sdnn * 0.85,
        stress: MockHeart.stressLevel(sdnn: sdnn, heartRate: rate))
    return API.Session(SessionSummary(record: record, means: means), name: strap.name, isRunning: isRunning)
  }

  var contents: SessionContents {
    var contents = SessionContents()
    let summary = summary
    (contents.sessions, contents.notifications, contents.beats, contents.stress) =
      (1, summary.notifications, summary.beats, 24)
    (contents.first, contents.last) = (start, start.advanced(byMicroseconds: Int64(length * 1e6)))
    return contents
  }
}
