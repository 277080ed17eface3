import GATT
import Presentation
import Recording
import TachogramCore

/// The live view without a screen: decides when a line is written, and its contents.
///
/// A strap has a line for each notification, on average at most one per second; a line for each change of its link; and one
/// when its reading becomes stale otherwise.
package struct LiveLog {
  private struct Strap {
    /// The intervals since the last line.
    var intervals: [RRInterval] = []
    var due: MonotonicTime?
    var isStaleTold = false
    /// The phase of the link in the last line.
    var phase: LinkPhase?
    var reason: LinkReason?
  }

  private static let distance: Duration = .seconds(1)
  /// The time by which a line may be early, so that a strap that notifies every 0.98 s gets its lines.
  private static let slack: Duration = .milliseconds(500)
  /// The maximum number of intervals, which exceeds those of a second.
  private static let mostIntervals = 64

  private var board: LiveBoard
  private let text: LiveText
  private var straps: [Int: Strap] = [:]

  package init(board: LiveBoard, text: LiveText) {
    self.board = board
    self.text = text
  }

  /// Returns the line of an event, or `nil` if none is due.
  package mutating func line(_ news: LiveRecorder.Update) -> String? {
    board.handle(news)
    return line(news.event)
  }

  /// Returns the line of an event with its derived rows, or `nil` if none is due.
  package mutating func line(
    _ event: StrapEvent, batch: SessionBatch = SessionBatch(), derived: LiveBoard.Derived? = nil,
  ) -> String? {
    board.handle(event, batch: batch, derived: derived)
    return line(event)
  }

  /// Returns the lines of readings that have become stale.
  mutating func staleLines(at time: MonotonicTime, wall: WallTime) -> [String] {
    board.straps.compactMap { strap in
      guard straps[strap]?.isStaleTold != true, board.reading(strap, at: time)?.isStale == true else { return nil }
      return write(strap, at: time, wall: wall)
    }
  }

  private mutating func line(_ event: StrapEvent) -> String? {
    switch event.content {
    case .state(let state):
      // A line of a notification may have reported it already.
      if let told = straps[event.strap], told.phase == state.phase, told.reason == state.reason { return nil }
      return write(event.strap, at: event.monotonic, wall: event.wall)
    case .notification(let value):
      guard let measurement = try? HeartRateMeasurementCodec.decode(value.span) else { return nil }
      var strap = straps[event.strap] ?? Strap()
      strap.isStaleTold = false
      strap.intervals += measurement.rrIntervals
      strap.intervals = strap.intervals.suffix(Self.mostIntervals)
      let earliest = event.monotonic.advanced(by: .zero - Self.slack)
      let due = strap.due ?? earliest
      let isDue = due <= event.monotonic.advanced(by: Self.slack)
      if isDue { strap.due = max(due, earliest).advanced(by: Self.distance) }
      straps[event.strap] = strap
      return isDue ? write(event.strap, at: event.monotonic, wall: event.wall) : nil
    case .identified, .linkUp, .sensor, .linkDown, .signal, .dismissed: return nil
    }
  }

  private mutating func write(_ strap: Int, at time: MonotonicTime, wall: WallTime) -> String? {
    guard let reading = board.reading(strap, at: time) else { return nil }
    let intervals = straps[strap]?.intervals ?? []
    straps[strap, default: Strap()].intervals = []
    straps[strap]?.isStaleTold = reading.isStale
    straps[strap]?.phase = reading.link.phase
    straps[strap]?.reason = reading.link.reason
    return text.text(reading, time: wall, rr: intervals)
  }
}
