import Recording
import Synchronization
import TachogramCore

/// What `record` says while it runs and at its end.
final class RecordOutput: Sendable {
  private let format: OutputFormat
  private let sink: LineSink
  private let names = Mutex<[Int: String]>([:])
  private let resumed = Mutex<Set<String>>([])

  init(format: OutputFormat, sink: LineSink) {
    self.format = format
    self.sink = sink
  }

  /// Tells an event: as a line on standard output with ndjson, else changes of the link on standard error.
  func observe(_ news: LiveRecorder.News) {
    if case .identified(let identity) = news.event.content {
      names.withLock { $0[news.event.strap] = identity.label }
    }
    let name = names.withLock { $0[news.event.strap] } ?? "strap \(news.event.strap + 1)"
    if let live = news.live, live.isResumed, let session = live.description,
      resumed.withLock({ $0.insert(session.id).inserted })
    {
      StandardStreams.error(
        "\(Timestamp.text(news.event.wall))  \(name): going on with the session that began at "
          + "\(Timestamp.text(session.start)) and was cut off")
    }
    if format == .ndjson {
      for line in LiveLines.lines(news, strap: name) { write(line) }
    } else if case .state(let state) = news.event.content {
      StandardStreams.error("\(Timestamp.text(news.event.wall))  \(name): \(BluetoothWording.text(state))")
    }
  }

  /// Says what was recorded. Throws what kept lines from being written.
  func finish(_ ended: [LiveRecorder.Ended], database: String) throws {
    let report = RecordReport(ended, database: database)
    switch format {
    case .text: StandardStreams.out(TextReport(report).text)
    case .json: StandardStreams.out(try JSONOutput.line(report))
    case .ndjson: try sink.check()
    }
  }

  private func write(_ line: EventLine) {
    // Numbers and texts only: encoding them cannot fail.
    if let text = try? JSONOutput(isPretty: false).text(line) { sink.write(text + "\n") }
  }
}
