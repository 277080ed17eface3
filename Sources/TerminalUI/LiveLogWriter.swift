import CommandProcess
import Recording
import Synchronization
import TachogramCore

/// Writes the lines of a live view.
package final class LiveLogWriter: Sendable {
  private let log: Mutex<LiveLog>
  private let sink: LineSink

  package init(_ log: LiveLog, sink: LineSink) {
    self.log = Mutex(log)
    self.sink = sink
  }

  package func observe(_ news: LiveRecorder.Update) {
    log.withLock { log in
      if let line = log.line(news) { sink.write(line) }
    }
  }

  /// Writes lines for readings that become stale, until the task is cancelled.
  package func watch(_ time: any TimeSourceProtocol) async {
    while !Task.isCancelled {
      let now = time.now()
      log.withLock { log in
        for line in log.staleLines(at: now.monotonic, wall: now.wall) { sink.write(line) }
      }
      try? await Task.sleep(for: LiveScreen.interval)
    }
  }
}
