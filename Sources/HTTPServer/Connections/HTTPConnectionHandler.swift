import NIOCore
import NIOHTTPTypes
import TLS
import TachogramCore

/// Converts the bytes of one connection to requests, and their answers to bytes. A request is passed on when it is complete and
/// the previous one has been answered. Further bytes stay in the network until then, so that a client that sends faster than it
/// reads has to wait. Invalid requests and those that do not arrive in time are answered here.
final class HTTPConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ReceivedRequest
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    /// Waiting for a request or the rest of one.
    case reading
    case answering(ResponseEncoder)
    /// The last answer is written. Further input is discarded, lest the system drop the answer with it (RFC 9112, 9.6).
    case finishing
    case closed
  }

  /// The maximum time from the opening of the connection, the end of the TLS handshake or the first byte of a later request to
  /// the end of the head.
  static let headTime = TimeAmount.seconds(10)
  /// The maximum time from an answer to the next request.
  static let idleTime = TimeAmount.seconds(60)
  /// The maximum time in which a client receives nothing of an answer.
  static let answerTime = TimeAmount.seconds(60)
  /// The time to wait for a silent client to close its side, after the server has closed its own.
  static let lingerTime = TimeAmount.seconds(2)
  /// The maximum time to wait for a client that is still sending. Many clients read the answer only afterwards.
  static let longestLinger = TimeAmount.seconds(10)

  private let connections: Connections
  private let time: any TimeSourceProtocol
  private let requestTime: TimeAmount
  private var parser: RequestParser
  private var phase = Phase.reading
  private var connection: OpenConnection?
  private var isReadHeld = false
  private var isInputClosed = false
  /// Whether the server is shutting down.
  private var isLast = false
  /// Whether input was discarded since the last check.
  private var isStillSending = false
  /// The start time of the request being read, or `nil` between two requests.
  private var requestStart: NIODeadline?
  private var isBodyTimed = false
  private var deadline: Scheduled<Void>?
  private var stall: Scheduled<Void>?

  init(
    connections: Connections, isSecure: Bool, limits: RequestLimits = RequestLimits(), time: any TimeSourceProtocol
  ) {
    self.connections = connections
    self.time = time
    requestTime = limits.requestTime
    parser = RequestParser(isSecure: isSecure, limits: limits)
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

  /// Parses the bytes that have arrived.
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
    schedule(context, at: requestStart + requestTime) { handler, context in handler.fail(context, .timeout) }
  }

  private func startRequest(_ context: ChannelHandlerContext) {
    let start = context.eventLoop.now
    requestStart = start
    isBodyTimed = false
    schedule(context, at: start + Self.headTime) { handler, context in
      // A client that has sent nothing receives no answer.
      if handler.parser.hasBegun { handler.fail(context, .timeout) } else { context.close(promise: nil) }
    }
  }

  /// Answers the request being read with a failure, and ends the connection.
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

  /// Ends the connection once all written bytes are sent.
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
      // The connection closes once all bytes are sent.
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

  /// Schedules an action in place of the one scheduled before.
  private func schedule(
    _ context: ChannelHandlerContext, at time: NIODeadline,
    _ body: @escaping (HTTPConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in body(self, context) }
  }
}
