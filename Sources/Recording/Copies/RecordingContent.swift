import Pipeline
import TachogramCore

/// The content by which copies of a recording are recognised: its session, its beats and their precision.
package struct RecordingContent: Sendable {
  package let session: SessionDescription
  package let beats: [RecordedBeat]
  package let precision: RecordingPrecision

  /// Creates a recording with `beats` in chronological order.
  package init(session: SessionDescription, beats: [RecordedBeat]) {
    (self.session, self.beats) = (session, beats)
    precision = RecordingPrecision(session, beats)
  }

  /// Creates a recording whose beats are derived from entries.
  package init(session: SessionDescription, entries: some Sequence<LedgerEntry>) {
    var derivation = RecordedBeatDerivation(session)
    for entry in entries { derivation.append(entry) }
    self.init(session: session, beats: derivation.beats())
  }

  /// The rank of the recording among recordings that contain each other.
  var rank: RecordingRank {
    let gaps = zip(beats, beats.dropFirst()).count { $1.microseconds - $0.microseconds - $1.length > Self.leastGap }
    return RecordingRank(precision: precision, beats: beats.count, gaps: gaps, id: session.id)
  }

  /// The least length of a gap in microseconds. Shorter differences are due to rounding and clocks.
  private static let leastGap: Int64 = 100_000

  /// The times of the first and the last beat in microseconds since 1970, or `nil` without beats.
  package var span: ClosedRange<Int64>? {
    guard let first = beats.first, let last = beats.last else { return nil }
    return first.microseconds...max(first.microseconds, last.microseconds)
  }
}
