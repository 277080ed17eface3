import CommandProcess
import Synchronization

/// A full-screen view that is redrawn periodically.
package final class LiveView: Sendable {
  private let screen: TerminalScreen
  private let farewell: String
  private let lines: @Sendable (TerminalSize, String?) -> [String]
  private let isEnding = Atomic<Bool>(false)

  /// Creates a view. `lines` returns the lines for a size, with a notice for people if there is one; `farewell` is the notice
  /// while it ends.
  package init(
    screen: TerminalScreen, farewell: String,
    lines: @escaping @Sendable (_ size: TerminalSize, _ notice: String?) -> [String],
  ) {
    self.screen = screen
    self.farewell = farewell
    self.lines = lines
  }

  /// Draws until `body` ends, which is requested with `stop` when the user ends the view; then the terminal is restored.
  /// Returns the reason for which the view was ended, or `nil`.
  package func run(
    _ body: () async throws -> Void, stop: @escaping @Sendable () async -> Void,
  ) async throws -> TerminalEvent.End? {
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
          await stop()
          return end as TerminalEvent.End?
        }
        draw()
      }
      return nil
    }
    defer { drawing.cancel() }
    do {
      try await body()
    } catch {
      watching.cancel()
      throw error
    }
    watching.cancel()
    return await watching.value
  }

  private func draw() {
    screen.show(lines(screen.size, isEnding.load(ordering: .relaxed) ? farewell : nil))
  }
}
