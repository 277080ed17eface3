import CommandProcess
import Presentation
import Recording
import Reports
import Repository
import Synchronization
import TachogramCore

/// The output of `record`. Lines on standard error may be kept as a log, so they contain the name of a strap, or the last byte
/// of its address.
package final class RecordOutput: Sendable {
  private let format: OutputFormat
  private let sink: LineSink
  private let names: StrapNames
  private let report: @Sendable (String) -> Void
  private let identities = Mutex<[Int: StrapIdentity]>([:])
  private let resumed = Mutex<Set<String>>([])
  private let isFailing = Mutex(false)

  /// Creates the output. `report` receives a line for people.
  package init(
    format: OutputFormat, sink: LineSink, names: StrapNames,
    report: @escaping @Sendable (String) -> Void = StandardStreams.error,
  ) {
    self.format = format
    self.sink = sink
    self.names = names
    self.report = report
  }

  /// Reports an event: as a line on standard output with ndjson, otherwise changes of the link on standard error.
  package func observe(_ news: LiveRecorder.Update) {
    if case .identified(let identity) = news.event.content {
      identities.withLock { $0[news.event.strap] = identity }
    }
    let identity = identities.withLock { $0[news.event.strap] }
    let name = LogText.safe(TerminalText.safe(names.name(news.event.strap, identity)))
    if let live = news.live, live.isResumed, let session = live.description,
      resumed.withLock({ $0.insert(session.id).inserted })
    {
      report(
        "\(Timestamp.text(news.event.wall))  \(name): going on with the session that began at "
          + "\(Timestamp.text(session.start)) and was cut off")
    }
    report(news.storageFailure, at: news.event.wall)
    if format == .ndjson {
      let label = identity?.label ?? "strap \(news.event.strap + 1)"
      for line in LiveLines.lines(news, strap: label) { write(line) }
    } else if case .state(let state) = news.event.content {
      report("\(Timestamp.text(news.event.wall))  \(name): \(LinkWording.text(state))")
    }
  }

  /// Reports on standard error that nothing can be stored, and the end of that state.
  private func report(_ failure: RepositoryError?, at time: WallTime) {
    let before = isFailing.withLock { isFailing in
      defer { isFailing = failure != nil }
      return isFailing
    }
    if before == (failure != nil) { return }
    StandardStreams.error(
      "\(Timestamp.text(time))  "
        + (failure.map { "notifications are kept in memory because they cannot be stored: \($0)" }
          ?? "notifications are stored again"))
  }

  /// Reports the recorded sessions. Throws the error that prevented lines from being written.
  package func finish(_ ended: [LiveRecorder.Ended], database: String) throws {
    let report = RecordReport(ended, database: database)
    switch format {
    case .text: StandardStreams.out(TextReport(report).text)
    case .json: StandardStreams.out(try JSONOutput.line(report))
    case .ndjson: try sink.check()
    }
  }

  private func write(_ line: EventLine) {
    // Encoding numbers and texts cannot fail.
    if let text = try? JSONOutput(isPretty: false).text(line) { sink.write(text + "\n") }
  }
}
