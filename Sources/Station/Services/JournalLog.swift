import CommandProcess
import Logging
import Presentation
import Recording
import TachogramCore

/// A log on standard error: with priorities for systemd's journal (sd-daemon(3)), otherwise with the time. Addresses of straps
/// are removed from every line (`LogText`).
package struct JournalLog: LogHandler {
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  private let isJournal: Bool
  private let write: @Sendable (String) -> Void

  /// Creates a log. `write` is called with each line, without its line end.
  package init(
    level: Logger.Level, environment: [String: String],
    write: @escaping @Sendable (String) -> Void = StandardStreams.error,
  ) {
    logLevel = level
    self.write = write
    isJournal = environment["JOURNAL_STREAM"] != nil
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let front =
      isJournal
      ? "<\(Self.priority(event.level))>" : "\(Timestamp.text(SystemTimeSource().now().wall)) \(event.level.rawValue) "
    write(front + LogText.safe(event.message.description + details))
  }

  private static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
