import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends connections that would hold memory or a place for ever: one on which more requests wait for an answer than a browser
/// sends, one whose request does not come to its end, one that takes no answer. Behind a request for another protocol, which
/// this server does not speak, nothing is read: the decoder of requests would keep whatever came.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Browsers send one request at a time.
  static let mostWaiting = 8
  /// From the first byte of a body, which is small, to its last.
  static let requestTime: TimeAmount = .seconds(30)
  static let answerTime: TimeAmount = .seconds(60)

  private var waiting = 0
  private var isLast = false
  private var request: Scheduled<Void>?
  private var answer: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      waiting += 1
      guard waiting <= Self.mostWaiting, !isLast else { return context.close(promise: nil) }
      isLast = head.method == .connect || head.headerFields[.upgrade] != nil
      request = ending(context, in: Self.requestTime)
    case .body: break
    case .end:
      request?.cancel()
      request = nil
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if !isLast { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    waiting -= 1
    context.write(data, promise: promise)
    guard isLast, waiting == 0 else { return }
    context.flush()
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    answer?.cancel()
    answer = context.channel.isWritable ? nil : ending(context, in: Self.answerTime)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    request?.cancel()
    answer?.cancel()
    context.fireChannelInactive()
  }

  private func ending(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
