import Recording
import TachogramCore

/// The event lines of a live source.
enum LiveLines {
  /// What an event led to, in the order in which it did.
  static func lines(_ news: LiveRecorder.News, strap: String) -> [EventLine] {
    var lines: [EventLine] = []
    if case .state(let state) = news.event.content {
      lines.append(EventLine(state, strap: strap, time: news.event.wall))
    }
    lines += news.batch.entries.map { EventLine($0, strap: strap) }
    guard let session = news.session else { return lines }
    let wall: (MonotonicTime) -> WallTime = {
      session.start.advanced(byMicroseconds: $0.microseconds(since: session.monotonicStart))
    }
    lines += news.batch.gaps.map { EventLine($0, strap: strap, start: wall($0.start), end: wall($0.end)) }
    lines += news.batch.beats.map { EventLine($0, strap: strap, time: wall($0.time)) }
    lines += news.batch.windows.map { EventLine($0, strap: strap, time: wall($0.end)) }
    lines += news.batch.stress.map { EventLine($0, strap: strap) }
    return lines
  }
}
