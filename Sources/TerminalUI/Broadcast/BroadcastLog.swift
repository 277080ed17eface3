import BlueZ
import CommandProcess
import GATT
import Listening
import Presentation
import TachogramCore

/// The broadcasts of straps as lines, without a screen: about one per second for each strap, one when it becomes stale, and one
/// for a problem that prevents receiving straps.
struct BroadcastLog: Sendable {
  private var board: BroadcastBoard
  private let format: OutputFormat

  init(board: BroadcastBoard, format: OutputFormat) {
    self.board = board
    self.format = format
  }

  /// Returns the line of an update, with its line end, or `nil` if none is due.
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

  /// Returns lines about the straps that have become stale. Programs can see that from the times.
  mutating func staleLines(at time: MonotonicTime, wall: WallTime) -> [String] {
    board.newlyStale(at: time).compactMap { row in
      if format == .ndjson { return nil }
      return "\(Timestamp.text(wall))  \(Self.safe(row.strap))  stale \(LiveWording.seconds(row.age)) s\n"
    }
  }

  /// Returns the event of a broadcast heart rate; 0 means that there is none.
  private static func event(_ heard: HeardBroadcast, _ name: String) -> EventLine {
    var line = EventLine("broadcast", strap: name, time: heard.wall)
    line.heartRate = UInt16(heard.content.heartRate)
    line.contact = heard.content.contact.rawValue
    line.address = heard.address.description
    line.batteryLow = heard.content.isBatteryLow
    line.signalDBm = heard.signal
    return line
  }

  private static func text(_ heard: HeardBroadcast, _ name: String) -> String {
    var parts = [Timestamp.text(heard.wall), safe(name), "\(heard.content.heartRate) bpm"]
    switch heard.content.contact {
    case .detected: parts.append("contact")
    case .notDetected: parts.append("no contact")
    case .notSupported: break
    }
    if let signal = heard.signal { parts.append("\(signal) dBm") }
    if heard.content.isBatteryLow { parts.append("battery low") }
    return parts.joined(separator: "  ") + "\n"
  }

  private static func safe(_ name: String) -> String {
    let safe = TerminalText.safe(name)
    return safe.isEmpty ? "no name" : safe
  }

  private static func json(_ line: EventLine) -> String? {
    // Encoding numbers and texts cannot fail.
    (try? JSONOutput(isPretty: false).text(line)).map { $0 + "\n" }
  }
}
