import BlueZ
import CommandProcess
import GATT
import Presentation
import TachogramCore

/// What straps broadcast as lines, where there is no screen: about one a second for each strap, one when it has become
/// stale, and one for what keeps straps from being heard.
struct BroadcastLog: Sendable {
  private var board: BroadcastBoard
  private let format: OutputFormat

  init(board: BroadcastBoard, format: OutputFormat) {
    self.board = board
    self.format = format
  }

  /// The line that news gives, with its line end.
  mutating func line(_ news: BlueZBroadcasts.Update, wall: WallTime) -> String? {
    switch news {
    case .heard(let heard):
      guard board.handle(heard) else { return nil }
      let name = board.name(heard)
      return format == .ndjson ? Self.json(Self.event(heard, name)) : Self.text(heard, name)
    case .obstacle(let reason):
      board.handle(obstacle: reason)
      if format == .ndjson { return Self.json(EventLine(listening: reason, time: wall)) }
      let words = reason.map { "cannot receive: \(LinkWording.text($0))" } ?? "listening"
      return "\(Timestamp.text(wall))  \(words)\n"
    }
  }

  /// Lines about the straps that have become stale. A program sees that from the times.
  mutating func staleLines(at time: MonotonicTime, wall: WallTime) -> [String] {
    board.newlyStale(at: time).compactMap { row in
      if format == .ndjson { return nil }
      return "\(Timestamp.text(wall))  \(Self.safe(row.strap))  stale \(LiveWording.seconds(row.age)) s\n"
    }
  }

  /// A heart rate that a strap broadcast; one that is 0 was none.
  private static func event(_ heard: HeardBroadcast, _ name: String) -> EventLine {
    var line = EventLine("broadcast", strap: name, time: heard.wall)
    line.heartRate = UInt16(heard.content.heartRate)
    line.contact = (heard.content.hasContact ? SensorContact.detected : .notDetected).rawValue
    line.address = heard.address.description
    line.batteryLow = heard.content.isBatteryLow
    line.signalDBm = heard.signal
    return line
  }

  private static func text(_ heard: HeardBroadcast, _ name: String) -> String {
    var parts = [Timestamp.text(heard.wall), safe(name), "\(heard.content.heartRate) bpm"]
    parts.append(heard.content.hasContact ? "contact" : "no contact")
    if let signal = heard.signal { parts.append("\(signal) dBm") }
    if heard.content.isBatteryLow { parts.append("battery low") }
    return parts.joined(separator: "  ") + "\n"
  }

  private static func safe(_ name: String) -> String {
    let safe = TerminalText.safe(name)
    return safe.isEmpty ? "no name" : safe
  }

  private static func json(_ line: EventLine) -> String? {
    // Numbers and texts only: encoding them cannot fail.
    (try? JSONOutput(isPretty: false).text(line)).map { $0 + "\n" }
  }
}
