import Outlets
import Recording
import TachogramCore

extension OutletBeat {
  /// Returns the beats of an update, which has gaps among them. `followsGap` is whether beats are missing before the first one.
  static func all(of news: LiveRecorder.Update, followsGap: Bool) -> [OutletBeat] {
    guard let session = news.session else { return [] }
    var gaps = news.batch.gaps[...]
    return news.batch.beats.enumerated().map { place, beat in
      var hasGap = place == 0 && followsGap
      while let gap = gaps.first, gap.start < beat.time {
        hasGap = true
        gaps = gaps.dropFirst()
      }
      return OutletBeat(
        strap: news.event.strap, session: session.id, sequence: beat.sequence, time: session.wall(beat.time),
        interval: beat.rr.milliseconds, isMarked: !beat.marks.isEmpty, followsGap: hasGap)
    }
  }
}
