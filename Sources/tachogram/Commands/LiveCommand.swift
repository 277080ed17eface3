import ArgumentParser
import BlueZ
import CommandProcess
import Foundation
import Listening
import Presentation
import Recording
import Repository
import Sessions
import Synchronization
import TachogramCore
import TerminalUI

/// `live`: shows the values of straps as they arrive. Nothing is stored.
struct LiveCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Show straps live: heart rate, RR trace, HRV, stress, contact, battery, signal.",
    discussion: """
      Without a strap, the paired straps are shown, or the first one in range if none is paired. In a terminal this \
      is a full screen until q or Ctrl-C; otherwise one line per second. Nothing is stored; use `tachogram record` \
      to store.

      With --broadcast no strap is connected. The output is the average heart rate that Polar straps and watches \
      advertise, for any number of devices. It contains no RR intervals, so there is no HRV and no stress. Without a \
      strap, the paired straps are shown, or every strap in range if none is paired or with --all.
      """)

  @OptionGroup var listening: ListeningOptions
  @OptionGroup var store: DatabaseOption

  @Flag(help: "Show what straps broadcast, without connecting.")
  var broadcast = false

  @Flag(help: "With --broadcast: show every strap in range, not only paired straps.")
  var all = false

  @Option(help: "Stop this long after the first notification, such as 90s, 30m or 8h.")
  var duration: SpanOption?

  @Option(help: "text or ndjson (one line per event).")
  var format = OutputFormat.text

  func validate() throws {
    if format == .json { throw ValidationError("live is a stream; use text or ndjson.") }
    if all, !broadcast { throw ValidationError("--all requires --broadcast.") }
    if all, !listening.straps.isEmpty { throw ValidationError("--all cannot be combined with the name of a strap.") }
    if broadcast, listening.replay != nil {
      throw ValidationError("--broadcast requires a radio; a capture contains no broadcasts.")
    }
  }

  func perform() async throws {
    let path = try store.path()
    if broadcast { return try await showBroadcasts(databasePath: path) }
    let time = listening.plan.time()
    let source = try await listening.plan.source(databasePath: path, time: time)
    let database = try DatabaseOpening.openForReading(ifPresent: path)
    defer { try? database?.close() }
    do {
      try await show(source, time, database, try listening.plan.names(databasePath: path))
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    } catch let error as TerminalError {
      throw CommandFailure(error.description)
    }
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
  }

  private func show(
    _ source: any RadioSourceProtocol, _ time: any TimeSourceProtocol, _ database: TachogramDatabase?,
    _ names: StrapNames,
  ) async throws {
    let board = LiveBoard(names: names)
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = StandardStreams.isOutputTerminal
    let style = TerminalStyle(environment: environment, isTerminal: isTerminal)
    let recorder = { (observe: @escaping @Sendable (LiveRecorder.Update) -> Void) in
      LiveRecorder(source: source, options: options, time: time, database: database, observe: observe)
    }
    if format == .ndjson {
      let sink = LineSink { Task { await source.stop() } }
      _ = try await recorder(RecordOutput(format: .ndjson, sink: sink, names: names).observe).run()
      try sink.check()
    } else if TerminalStyle.hasScreen(environment: environment, isTerminal: isTerminal), isPaced {
      let shown = Mutex(board)
      let farewell = "giving the strap back; Ctrl-C twice ends at once"
      let view = LiveView(screen: try TerminalScreen.open(), farewell: farewell) { size, notice in
        LiveScreen(size: size, style: style)
          .lines(shown.withLock { $0.readings(at: time.now().monotonic) }, notice: notice)
      }
      let details = LiveDetails()
      let end = try await view.run {
        _ = try await recorder { news in
          shown.withLock { $0.handle(news) }
          details.handle(news) { [strap = news.event.strap] metrics in shown.withLock { $0.handle(metrics, of: strap) }
          }
        }.run()
      } stop: {
        await source.stop()
      }
      if let end, end != .key { throw CommandFailure("", code: .interrupted) }
    } else {
      try await write(recorder, source, time, LiveLog(board: board, text: LiveText(unicode: style.unicode)))
    }
  }

  /// Writes lines.
  private func write(
    _ recorder: (@escaping @Sendable (LiveRecorder.Update) -> Void) -> LiveRecorder, _ source: any RadioSourceProtocol,
    _ time: any TimeSourceProtocol, _ log: LiveLog,
  ) async throws {
    let sink = LineSink { Task { await source.stop() } }
    let writer = LiveLogWriter(log, sink: sink)
    let watching = isPaced ? Task { await writer.watch(time) } : nil
    defer { watching?.cancel() }
    _ = try await recorder(writer.observe).run()
    try sink.check()
  }

  /// Shows the broadcasts of straps, without connections.
  private func showBroadcasts(databasePath path: String) async throws {
    if !listening.wait { try await listening.plan.radio.requireBluetooth() }
    let choice = try StrapChoice(databasePath: path)
    let filter = BroadcastFilter(all ? [] : try choice.straps(listening.straps).map(\.selector))
    do {
      try await BroadcastListening(
        source: listening.plan.radio.broadcasts(), board: BroadcastBoard(filter: filter, known: choice.known),
        duration: duration?.duration
      ).run(format)
    } catch let error as TerminalError {
      throw CommandFailure(error.description)
    }
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
  }

  /// Whether events arrive in real time, so that silence is significant.
  private var isPaced: Bool { listening.speed.factor != nil }

  private var options: LiveOptions {
    LiveOptions(person: listening.person, kind: listening.hrv, duration: duration?.duration, isStored: false)
  }
}
