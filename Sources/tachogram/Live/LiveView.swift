import Recording
import Synchronization
import TachogramCore

/// The live view on a full screen.
final class LiveView: Sendable {
  private let screen: TerminalScreen
  private let style: TerminalStyle
  private let time: any TimeSourceProtocol
  private let board: Mutex<LiveBoard>
  private let isEnding = Atomic<Bool>(false)

  init(screen: TerminalScreen, style: TerminalStyle, time: any TimeSourceProtocol, board: LiveBoard) {
    self.screen = screen
    self.style = style
    self.time = time
    self.board = Mutex(board)
  }

  func observe(_ news: LiveRecorder.News) {
    board.withLock { $0.take(news) }
  }

  /// Shows what `recorder` hears from `source` until it ends or somebody ends the view; the terminal is then as it was before.
  /// Returns why the view was ended, `nil` when it was not.
  func run(_ recorder: LiveRecorder, source: any RadioSourceProtocol) async throws -> TerminalEvent.End? {
    defer { screen.close() }
    let drawing = Task {
      while !Task.isCancelled {
        draw()
        try? await Task.sleep(for: LiveScreen.interval)
      }
    }
    let watching = Task {
      for await event in screen.events {
        if case .ended(let end) = event {
          isEnding.store(true, ordering: .relaxed)
          draw()
          await source.stop()
          return end as TerminalEvent.End?
        }
        draw()
      }
      return nil
    }
    defer { drawing.cancel() }
    do {
      _ = try await recorder.run()
    } catch {
      watching.cancel()
      throw error
    }
    watching.cancel()
    return await watching.value
  }

  private func draw() {
    let readings = board.withLock { $0.readings(at: time.now().monotonic) }
    let notice = isEnding.load(ordering: .relaxed) ? "giving the strap back; Ctrl-C twice ends at once" : nil
    screen.show(LiveScreen(size: screen.size, style: style).lines(readings, notice: notice))
  }
}
