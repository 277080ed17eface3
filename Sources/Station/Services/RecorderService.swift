import CommandProcess
import Logging
import Recording
import ServiceLifecycle
import TachogramCore

/// Records until the station is asked to end; then the sessions end in order.
struct RecorderService: Service {
  let recorder: LiveRecorder
  let source: any RadioSourceProtocol
  /// Whether a capture stands for the radio.
  let isReplay: Bool
  let logger: Logger
  /// Ends its wait when the page is there: a station that cannot serve it is not to leave sessions of a moment behind at
  /// every attempt.
  let served: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown { for await _ in served { break } }
    if Task.isShuttingDownGracefully || Task.isCancelled { return }
    let ended = try await withGracefulShutdownHandler {
      try await recorder.run()
    } onGracefulShutdown: {
      Task { [source] in await source.stop() }
    }
    ProcessEnd.settle(.done)
    logger.info("recording ended", metadata: ["sessions": "\(ended.count)"])
    if isReplay, !Task.isShuttingDownGracefully { logger.notice("the capture has ended; the page stays") }
  }
}
