import Outlets
import TachogramCore

extension OutletBeat {
  /// Creates a beat of a session.
  init(_ beat: Beat, followsGap: Bool, of session: SessionDescription, strap: Int) {
    self.init(
      strap: strap, session: session.id, sequence: beat.sequence, time: session.wall(beat.time),
      interval: beat.rr.milliseconds, isMarked: !beat.marks.isEmpty, followsGap: followsGap)
  }
}
