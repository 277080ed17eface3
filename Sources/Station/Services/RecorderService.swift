import CommandProcess
import Logging
import Recording
import ServiceLifecycle
import TachogramCore

/// Records until the station ends; then the sessions end in order.
struct RecorderService: Service {
  let recorder: LiveRecorder
  let source: any RadioSourceProtocol
  /// Whether a capture is played in place of the radio.
  let isReplay: Bool
  /// Whether what is received is kept in memory, and stored after the recording has ended.
  let isInMemory: Bool
  let logger: Logger
  /// Ends when the page is served. Recording waits for it, so that a station that cannot serve the page does not record a short
  /// session at each attempt to start.
  let served: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown { for await _ in served { break } }
    if Task.isShuttingDownGracefully || Task.isCancelled { return }
    let ended = try await withGracefulShutdownHandler {
      try await recorder.run()
    } onGracefulShutdown: {
      Task { [source] in await source.stop() }
    }
    if !isInMemory { ProcessEnd.settle(.done) }
    logger.info("recording ended", metadata: ["sessions": "\(ended.count)"])
    if isReplay, !Task.isShuttingDownGracefully { logger.notice("the capture has ended; the page stays") }
  }
}
