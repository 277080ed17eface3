import Presentation
import Recording
import TachogramCore

/// The event lines of a live source.
enum LiveLines {
  /// Returns the lines of an event, in order.
  static func lines(_ news: LiveRecorder.Update, strap: String) -> [EventLine] {
    var lines: [EventLine] = []
    if case .state(let state) = news.event.content {
      lines.append(EventLine(state, strap: strap, time: news.event.wall))
    }
    // Without a session there are no notifications.
    if let session = news.session { lines += EventLine.lines(news.batch, of: session, strap: strap) }
    return lines
  }
}
