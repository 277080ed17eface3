import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// A web server of another program that alerts are posted to.
final class AlertReceiver: Sendable {
  private let requests: Mutex<[String]> = Mutex([])
  private let statuses: Mutex<[HTTPResponse.Status]>
  private let running: Mutex<(port: Int, task: Task<Void, any Error>)?> = Mutex(nil)

  private init(_ statuses: [HTTPResponse.Status]) {
    self.statuses = Mutex(statuses)
  }

  /// Answers one request after the other with `statuses`.
  static func start(_ statuses: [HTTPResponse.Status]) async throws -> AlertReceiver {
    let receiver = AlertReceiver(statuses)
    let router = Router()
    router.post("alerts") { request, _ in
      let body = try await request.body.collect(upTo: 1 << 20)
      let line = "POST \(request.headers[.contentType] ?? "-") \(String(buffer: body))"
      receiver.requests.withLock { $0.append(line) }
      return Response(status: receiver.statuses.withLock { $0.isEmpty ? .internalServerError : $0.removeFirst() })
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let task = Task { try await application.runService(gracefulShutdownSignals: []) }
    for await number in ports {
      receiver.running.withLock { $0 = (number, task) }
      break
    }
    return receiver
  }

  /// What was received, a line each.
  var received: [String] { requests.withLock { $0 } }

  var url: String { "http://127.0.0.1:\(running.withLock { $0?.port ?? 0 })/alerts" }

  func stop() async {
    let task = running.withLock { $0?.task }
    task?.cancel()
    _ = await task?.result
  }
}
