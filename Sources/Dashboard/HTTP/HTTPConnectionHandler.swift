import NIOCore
import NIOHTTPTypes
import TLS
import TachogramCore

/// One connection: bytes on one side, requests and their answers on the other, one after the other. A request is handed on when
/// it is whole and the one before it is answered; what a client sends meanwhile stays in the network, so that one that
/// sends faster than it reads has to wait. What is no request, or does not arrive in time, is answered here.
final class HTTPConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ReceivedRequest
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    /// Waits for a request or the rest of one.
    case reading
    case answering(ResponseEncoder)
    /// Everything is said. What still comes is passed over, lest the system drops the answer with it (RFC 9112, 9.6).
    case finishing
    case closed
  }

  /// From the opening of the connection, or the first byte of a later request, to the end of its head.
  static let headTime = TimeAmount.seconds(10)
  /// The same to the end of its body.
  static let requestTime = TimeAmount.seconds(30)
  /// From an answer to the next request.
  static let idleTime = TimeAmount.seconds(60)
  /// How long a client may take nothing of an answer.
  static let answerTime = TimeAmount.seconds(60)
  /// How long the end of a client is waited for that says nothing, once the server's is sent.
  static let lingerTime = TimeAmount.seconds(2)
  /// The same of one that still sends what nobody wants: many read the answer only then.
  static let longestLinger = TimeAmount.seconds(10)

  private let connections: Connections
  private let time: any TimeSourceProtocol
  private var parser: RequestParser
  private var phase = Phase.reading
  private var connection: OpenConnection?
  private var isReadHeld = false
  private var isInputClosed = false
  /// The server is about to end.
  private var isLast = false
  /// Whether something was passed over since it was last looked.
  private var isStillSending = false
  /// When the request began that is being read; `nil` between two.
  private var requestStart: NIODeadline?
  private var isBodyTimed = false
  private var deadline: Scheduled<Void>?
  private var stall: Scheduled<Void>?

  init(connections: Connections, isSecure: Bool, time: any TimeSourceProtocol) {
    self.connections = connections
    self.time = time
    parser = RequestParser(isSecure: isSecure)
  }

  // MARK: - Beginning and end

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    let channel = context.channel
    connection = connections.admit(ClientNetwork(channel.remoteAddress)) { channel.close(promise: nil) }
    guard connection != nil else {
      phase = .closed
      return context.close(promise: nil)
    }
    startRequest(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func end() {
    phase = .closed
    deadline?.cancel()
    stall?.cancel()
    (deadline, stall) = (nil, nil)
    connection?.remove()
    connection = nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      // The responder is not notified: a client that has sent all of its requests waits for the answers.
      isInputClosed = true
      switch phase {
      case .reading: advance(context)
      case .finishing: context.close(promise: nil)
      case .answering, .closed: break
      }
    case is TLSHandshakeCompleted: if case .reading = phase { startRequest(context) }
    case is ChannelShouldQuiesceEvent:
      isLast = true
      if case .reading = phase { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: - Requests

  func read(context: ChannelHandlerContext) {
    if case .answering = phase, parser.waitingBytes > 0 { isReadHeld = true } else { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch phase {
    case .reading:
      parser.append(bytes)
      advance(context)
    case .answering: parser.append(bytes)
    case .finishing: isStillSending = true
    case .closed: break
    }
  }

  /// Reads on in what has arrived.
  private func advance(_ context: ChannelHandlerContext) {
    if requestStart == nil, parser.hasBegun { startRequest(context) }
    do {
      switch try parser.next() {
      case .request(let request): handOn(request, context)
      case .expectsContinue:
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        wait(context)
      case .incomplete: wait(context)
      }
    } catch {
      fail(context, error)
    }
  }

  private func handOn(_ request: ReceivedRequest, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    phase = .answering(ResponseEncoder(request.exchange))
    connection?.change(to: .answering)
    context.fireChannelRead(wrapInboundOut(request))
    context.fireChannelReadComplete()
  }

  /// Waits for more of a request.
  private func wait(_ context: ChannelHandlerContext) {
    if isInputClosed {
      return parser.hasBegun ? fail(context, .incomplete) : finish(context)
    }
    guard let requestStart, parser.isInBody, !isBodyTimed else { return }
    isBodyTimed = true
    schedule(context, at: requestStart + Self.requestTime) { handler, context in handler.fail(context, .timeout) }
  }

  private func startRequest(_ context: ChannelHandlerContext) {
    let start = context.eventLoop.now
    requestStart = start
    isBodyTimed = false
    schedule(context, at: start + Self.headTime) { handler, context in
      // A reader that has sent nothing receives nothing.
      if handler.parser.hasBegun { handler.fail(context, .timeout) } else { context.close(promise: nil) }
    }
  }

  /// Refuses what is being read.
  private func fail(_ context: ChannelHandlerContext, _ failure: RequestFailure) {
    let bytes = FailureResponse.bytes(failure, parser.failedExchange, at: time.now().wall)
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    finish(context)
  }

  // MARK: - Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .answering(var encoder) = phase else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    let part = unwrapOutboundIn(data)
    let bytes = encoder.encode(part)
    phase = .answering(encoder)
    context.write(wrapOutboundOut(bytes), promise: promise)
    if case .end = part { endAnswer(context, keepsAlive: encoder.keepsAlive) }
  }

  private func endAnswer(_ context: ChannelHandlerContext, keepsAlive: Bool) {
    guard keepsAlive, !isLast else { return finish(context) }
    phase = .reading
    connection?.change(to: .reading)
    requestStart = nil
    schedule(context, at: context.eventLoop.now + Self.idleTime) { _, context in context.close(promise: nil) }
    advance(context)
    resumeReading(context)
  }

  private func resumeReading(_ context: ChannelHandlerContext) {
    guard isReadHeld else { return }
    if case .answering = phase, parser.waitingBytes > 0 { return }
    isReadHeld = false
    context.read()
  }

  /// Ends the connection when all that was written is sent.
  private func finish(_ context: ChannelHandlerContext) {
    phase = .finishing
    connection?.change(to: .reading)
    schedule(context, at: context.eventLoop.now + Self.answerTime) { _, context in context.close(promise: nil) }
    resumeReading(context)
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in
      guard case .finishing = phase else { return }
      if isInputClosed { return context.close(promise: nil) }
      linger(context, until: context.eventLoop.now + Self.longestLinger)
      context.close(mode: .output, promise: nil)
    }
  }

  private func linger(_ context: ChannelHandlerContext, until end: NIODeadline) {
    isStillSending = false
    schedule(context, at: min(end, context.eventLoop.now + Self.lingerTime)) { handler, context in
      guard handler.isStillSending, context.eventLoop.now < end else { return context.close(promise: nil) }
      handler.linger(context, until: end)
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .output, case .finishing = phase {
      // It ends by itself, when all is sent.
      promise?.succeed()
    } else {
      context.close(mode: mode, promise: promise)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      stall = context.eventLoop.assumeIsolated().scheduleTask(in: Self.answerTime) { context.close(promise: nil) }
    }
    if case .answering = phase { connection?.change(to: context.channel.isWritable ? .answering : .stalled) }
    context.fireChannelWritabilityChanged()
  }

  /// Does something when nothing else is scheduled before.
  private func schedule(
    _ context: ChannelHandlerContext, at time: NIODeadline,
    _ body: @escaping (HTTPConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in body(self, context) }
  }
}
