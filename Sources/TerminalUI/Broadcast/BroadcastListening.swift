import BlueZ
import CommandProcess
import Foundation
import Listening
import Presentation
import Recording
import Synchronization
import TachogramCore

/// Receives the broadcasts of straps and shows them.
package struct BroadcastListening {
  package let source: BlueZBroadcasts
  package let board: BroadcastBoard
  /// The duration from the first broadcast on, or `nil` for no limit.
  package let duration: Duration?

  package init(source: BlueZBroadcasts, board: BroadcastBoard, duration: Duration?) {
    (self.source, self.board, self.duration) = (source, board, duration)
  }

  private var time: SystemTimeSource { SystemTimeSource() }

  /// Shows a table on a terminal with a screen, otherwise writes lines.
  package func run(_ format: OutputFormat) async throws {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = StandardStreams.isOutputTerminal
    if format == .text, TerminalStyle.hasScreen(environment: environment, isTerminal: isTerminal) {
      try await show(TerminalStyle(environment: environment, isTerminal: isTerminal))
    } else {
      try await write(format)
    }
  }

  private func show(_ style: TerminalStyle) async throws {
    let shown = Mutex(board)
    let view = LiveView(screen: try TerminalScreen.open(), farewell: "ending the search") { [time] size, notice in
      let board = shown.withLock { $0 }
      return BroadcastTable(size: size, style: style).lines(board, at: time.now().monotonic, notice: notice)
    }
    let end = try await view.run {
      await listen { news in
        shown.withLock { board in
          switch news {
          case .heard(let heard): _ = board.handle(heard)
          case .obstacle(let reason): board.handle(obstacle: reason)
          }
        }
      }
    } stop: { [source] in
      await source.stop()
    }
    if let end, end != .key { throw CommandFailure("", code: .interrupted) }
  }

  private func write(_ format: OutputFormat) async throws {
    let sink = LineSink { [source] in Task { await source.stop() } }
    let log = Mutex(BroadcastLog(board: board, format: format))
    let watching = Task { [time] in
      while !Task.isCancelled {
        let now = time.now()
        log.withLock { log in
          for line in log.staleLines(at: now.monotonic, wall: now.wall) { sink.write(line) }
        }
        try? await Task.sleep(for: LiveScreen.interval)
      }
    }
    defer { watching.cancel() }
    await listen { [time] news in
      log.withLock { log in
        if let line = log.line(news, wall: time.now().wall) { sink.write(line) }
      }
    }
    try sink.check()
  }

  /// Calls `handle` with the updates until the time is over, the source stops or the task is cancelled.
  private func listen(_ handle: (BlueZBroadcasts.Update) -> Void) async {
    var timer: Task<Void, Never>?
    for await news in source.news() {
      handle(news)
      if case .heard(let heard) = news, timer == nil, let duration, board.isWanted(heard) {
        let due = heard.monotonic.advanced(by: duration)
        timer = Task { [source, time] in
          do { try await time.sleep(until: due) } catch { return }
          await source.stop()
        }
      }
    }
    timer?.cancel()
    await source.stop()
  }
}
