import CommandProcess
import Synchronization

/// A view on a full screen that is drawn again and again while something goes on.
package final class LiveView: Sendable {
  private let screen: TerminalScreen
  private let farewell: String
  private let lines: @Sendable (TerminalSize, String?) -> [String]
  private let isEnding = Atomic<Bool>(false)

  /// `lines` makes the lines for a size, with a notice for people when there is one; `farewell` is the one while it
  /// ends.
  package init(
    screen: TerminalScreen, farewell: String,
    lines: @escaping @Sendable (_ size: TerminalSize, _ notice: String?) -> [String],
  ) {
    self.screen = screen
    self.farewell = farewell
    self.lines = lines
  }

  /// Draws until `body` ends, which somebody who ends the view asks for with `stop`; the terminal is then as it was
  /// before. Returns why the view was ended, `nil` when it was not.
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
