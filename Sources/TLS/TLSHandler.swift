import NIOCore

/// The server's end of TLS in a channel: bytes of the network on one side, those of the application on the other. A peer that
/// breaks the protocol, or does not finish the handshake in time, is disconnected.
package final class TLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  private enum Phase {
    case shakingHands, open, closed
  }

  /// The largest record.
  private static let recordSize = 16 * 1024

  /// The first byte of whatever begins a handshake.
  private static let handshakeRecord: UInt8 = 22

  private let session: TLSSession
  private let patience: TimeAmount
  private var phase = Phase.shakingHands
  /// Whether a byte came.
  private var hasBegun = false
  /// What was written before the handshake was done.
  private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
  private var timeout: Scheduled<Void>?

  /// `patience` is how long the handshake may take.
  package init(_ identity: TLSIdentity, patience: TimeAmount = .seconds(10)) throws(TLSFailure) {
    guard let session = TLSSession(identity) else { throw .unavailable(reason: "there is no memory") }
    self.session = session
    self.patience = patience
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timeout = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  // MARK: - From the network

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase != .closed else { return }
    let bytes = unwrapInboundIn(data)
    if let first = bytes.readableBytesView.first, !hasBegun {
      hasBegun = true
      if first != Self.handshakeRecord { return refuse(context) }
    }
    do {
      try bytes.withUnsafeReadableBytes { bytes in try session.receive(bytes) }
      if phase == .shakingHands, try session.shakeHands() { open(context) }
      flushOutput(context)
      try read(context)
    } catch {
      // What there is to say about it is in the output.
      flushOutput(context)
      phase = .closed
      context.close(promise: nil)
    }
  }

  /// Tells a browser that came without TLS what to do.
  private func refuse(_ context: ChannelHandlerContext) {
    phase = .closed
    let text = "This page is served with TLS: its address begins with https://\n"
    let answer = ByteBuffer(
      string: "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)")
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    context.close(promise: nil)
  }

  private func open(_ context: ChannelHandlerContext) {
    phase = .open
    timeout?.cancel()
    let writes = waiting
    waiting = []
    for write in writes { encrypt(context, write.bytes, write.promise) }
  }

  /// Hands on what can be read; whoever gets it may write and close at once.
  private func read(_ context: ChannelHandlerContext) throws {
    while phase == .open {
      var buffer = context.channel.allocator.buffer(capacity: Self.recordSize)
      var reading = TLSSession.Reading.nothing
      try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { bytes in
        reading = try session.read(into: bytes)
        return if case .bytes(let count) = reading { count } else { 0 }
      }
      switch reading {
      case .bytes: context.fireChannelRead(wrapInboundOut(buffer))
      case .nothing: return flushOutput(context)
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

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if phase == .open, mode != .input {
      phase = .closed
      session.close()
      flushOutput(context)
    }
    context.close(mode: mode, promise: promise)
  }

  private func encrypt(_ context: ChannelHandlerContext, _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
    do {
      try bytes.withUnsafeReadableBytes { bytes in try session.write(bytes) }
      context.write(wrapOutboundOut(output(context)), promise: promise)
    } catch {
      promise?.fail(error)
      context.close(promise: nil)
    }
  }

  private func flushOutput(_ context: ChannelHandlerContext) {
    if session.outputCount > 0 { context.write(wrapOutboundOut(output(context)), promise: nil) }
    context.flush()
  }

  private func output(_ context: ChannelHandlerContext) -> ByteBuffer {
    let count = session.outputCount
    var buffer = context.channel.allocator.buffer(capacity: count)
    _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
      session.takeOutput(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(count)))
    }
    return buffer
  }

  private func end() {
    phase = .closed
    timeout?.cancel()
    timeout = nil
    let writes = waiting
    waiting = []
    for write in writes { write.promise?.fail(ChannelError.ioOnClosedChannel) }
  }
}
