import Logging
import Synchronization

/// What a server logs.
final class LogMessages: Sendable {
  private struct Handler: LogHandler {
    let messages: LogMessages
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      messages.texts.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }

  private let texts = Mutex<[String]>([])

  var handler: any LogHandler { Handler(messages: self) }
  var text: String { texts.withLock { $0.joined(separator: "\n") } }
}
