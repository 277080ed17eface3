import Pipeline
import TachogramCore

/// A recording as copies of it are recognised: whose it is said to be, its beats, and how exactly these are known.
package struct RecordingContent: Sendable {
  package let session: SessionDescription
  package let beats: [RecordedBeat]
  package let precision: RecordingPrecision

  /// `beats` in the order of time.
  package init(session: SessionDescription, beats: [RecordedBeat]) {
    (self.session, self.beats) = (session, beats)
    precision = RecordingPrecision(session, beats)
  }

  /// A recording whose beats derive from entries.
  package init(session: SessionDescription, entries: some Sequence<LedgerEntry>) {
    var derivation = RecordedBeatDerivation(session)
    for entry in entries { derivation.append(entry) }
    self.init(session: session, beats: derivation.beats())
  }

  /// Where it stands among recordings that hold each other.
  var rank: RecordingRank {
    let gaps = zip(beats, beats.dropFirst()).count { $1.microseconds - $0.microseconds - $1.length > Self.leastGap }
    return RecordingRank(precision: precision, beats: beats.count, gaps: gaps, id: session.id)
  }

  /// Less is what rounding and clocks do, in microseconds.
  private static let leastGap: Int64 = 100_000

  /// When the first beat was and when the last, in microseconds since 1970; `nil` without beats.
  package var span: ClosedRange<Int64>? {
    guard let first = beats.first, let last = beats.last else { return nil }
    return first.microseconds...max(first.microseconds, last.microseconds)
  }
}
