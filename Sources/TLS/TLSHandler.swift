import NIOCore

/// The server's end of TLS in a channel: bytes of the network on one side, those of the application on the other. A peer that
/// breaks the protocol, or does not finish the handshake in time, is disconnected; nothing more is read from a peer that does
/// not receive its output.
package final class TLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  private enum Phase {
    case shakingHands, open, closed
  }

  /// The largest number of bytes passed to or from the session at once, to keep its buffers small: about a record.
  private static let piece = 16 * 1024
  /// How long a peer may leave more than the channel holds undrained.
  private static let stalledOutputTimeout = TimeAmount.seconds(60)

  private let session: TLSSession
  private let handshakeTimeout: TimeAmount
  private var phase = Phase.shakingHands
  /// Checks the first bytes before they are passed to OpenSSL; `nil` after they were accepted.
  private var firstMessage: FirstMessageLimit? = FirstMessageLimit()
  private var isReadHeld = false
  /// The writes made before the handshake was completed.
  private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
  /// The promises of writes that are encrypted but not yet passed to the network.
  private var promises: [EventLoopPromise<Void>] = []
  private var timeout: Scheduled<Void>?
  /// Ends the connection of a peer that receives nothing for a minute.
  private var stall: Scheduled<Void>?

  /// `handshakeTimeout` is how long the handshake may take.
  package init(_ identity: TLSIdentity, handshakeTimeout: TimeAmount = .seconds(10)) throws(TLSFailure) {
    guard let session = TLSSession(identity) else { throw .unavailable(reason: "there is no memory") }
    self.session = session
    self.handshakeTimeout = handshakeTimeout
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timeout = context.eventLoop.scheduleTask(in: handshakeTimeout) { channel.close(promise: nil) }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  // MARK: - From the network

  package func read(context: ChannelHandlerContext) {
    if context.channel.isWritable { context.read() } else { isReadHeld = true }
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      let channel = context.channel
      stall = context.eventLoop.scheduleTask(in: Self.stalledOutputTimeout) { channel.close(promise: nil) }
    } else if isReadHeld {
      isReadHeld = false
      context.read()
    }
    context.fireChannelWritabilityChanged()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if phase == .shakingHands {
      switch firstMessage?.append(bytes) {
      case .tooLarge: return end(context)
      case .accepted: firstMessage = nil
      case .unknown, nil: break
      }
    }
    do {
      while phase != .closed, let piece = bytes.readSlice(length: min(Self.piece, bytes.readableBytes)),
        piece.readableBytes > 0
      {
        try piece.withUnsafeReadableBytes { bytes in try session.receive(bytes) }
        if phase == .shakingHands, try session.shakeHands() { open(context) }
        try read(context)
      }
      flushOutput(context)
    } catch TLSSession.Failure.plainHTTP {
      refuse(context)
    } catch {
      // The output holds the alert.
      flushOutput(context)
      end(context)
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    phase = .closed
    context.close(promise: nil)
  }

  /// Answers a browser that connected without TLS with the address to use.
  private func refuse(_ context: ChannelHandlerContext) {
    let text = "This page is served with TLS: its address begins with https://\n"
    let answer = ByteBuffer(
      string: "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)")
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    end(context)
  }

  private func open(_ context: ChannelHandlerContext) {
    phase = .open
    timeout?.cancel()
    let writes = waiting
    waiting = []
    for write in writes { encrypt(context, write.bytes, write.promise) }
    context.fireUserInboundEventTriggered(TLSHandshakeCompleted())
  }

  /// Passes the decrypted bytes to the next handler, which may write or close during the call.
  private func read(_ context: ChannelHandlerContext) throws {
    while phase == .open {
      var buffer = context.channel.allocator.buffer(capacity: Self.piece)
      var reading = TLSSession.Reading.nothing
      try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.piece) { bytes in
        reading = try session.read(into: bytes)
        return if case .bytes(let count) = reading { count } else { 0 }
      }
      switch reading {
      case .bytes: context.fireChannelRead(wrapInboundOut(buffer))
      case .nothing: return
      case .closed: return close(context: context, mode: .all, promise: nil)
      }
    }
  }

  // MARK: - To the network

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = unwrapOutboundIn(data)
    switch phase {
    case .shakingHands: waiting.append((bytes, promise))
    case .open: encrypt(context, bytes, promise)
    case .closed: promise?.fail(ChannelError.ioOnClosedChannel)
    }
  }

  package func flush(context: ChannelHandlerContext) {
    flushOutput(context)
  }

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if phase == .open, mode != .input {
      phase = .closed
      session.close()
      flushOutput(context)
    }
    context.close(mode: mode, promise: promise)
  }

  private func encrypt(_ context: ChannelHandlerContext, _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
    var rest = bytes
    do {
      while let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)), piece.readableBytes > 0 {
        try piece.withUnsafeReadableBytes { bytes in try session.write(bytes) }
        if session.outputCount >= Self.piece { context.write(wrapOutboundOut(output(context)), promise: nil) }
      }
      if let promise { promises.append(promise) }
    } catch {
      promise?.fail(error)
      end(context)
    }
  }

  private func flushOutput(_ context: ChannelHandlerContext) {
    let promises = promises
    self.promises = []
    if session.outputCount > 0 || !promises.isEmpty {
      context.write(wrapOutboundOut(output(context)), promise: Self.one(promises, context))
    }
    context.flush()
  }

  /// Returns one promise that completes all of `promises`.
  private static func one(
    _ promises: [EventLoopPromise<Void>], _ context: ChannelHandlerContext
  ) -> EventLoopPromise<Void>? {
    guard promises.count > 1 else { return promises.first }
    let one = context.eventLoop.makePromise(of: Void.self)
    one.futureResult.whenComplete { result in
      for promise in promises { promise.completeWith(result) }
    }
    return one
  }

  private func output(_ context: ChannelHandlerContext) -> ByteBuffer {
    let count = session.outputCount
    var buffer = context.channel.allocator.buffer(capacity: count)
    _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
      session.readOutput(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(count)))
    }
    return buffer
  }

  private func end() {
    phase = .closed
    timeout?.cancel()
    stall?.cancel()
    (timeout, stall) = (nil, nil)
    let unwritten = waiting.compactMap(\.promise) + promises
    (waiting, promises) = ([], [])
    for promise in unwritten { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}
