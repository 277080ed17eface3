import CBluetooth
import Glibc
import Threads

/// The thread behind a management socket. Reads packets, passes answers to requests and events to streams, and ends requests
/// that have timed out.
///
/// The thread and the owner share this object, and the descriptors are closed when both have released it. A descriptor that was
/// reused for another file is therefore never accessed.
final class ManagementReactor: Sendable {
  /// The number of events buffered for a slow reader. The oldest are dropped first.
  private static let eventBuffer = 1024
  /// The longest packet: header and 65 535 bytes.
  private static let packetLimit = ManagementPacket.headerLength + 65_535

  private struct State {
    var isClosed = false
    var nextNumber: UInt64 = 0
    var requests = ManagementRequests()
    var streams: [UInt64: AsyncStream<ManagementEvent>.Continuation] = [:]
  }

  private let socket: HCISocket
  private let wakeUp: WakeUp
  private let state = Guarded(State())

  /// Starts the thread.
  static func start(_ socket: consuming HCISocket) throws(KernelAccessError) -> ManagementReactor {
    do {
      let reactor = ManagementReactor(socket, try WakeUp())
      try WorkerThread.start("tachogram-mgmt") { reactor.run() }
      return reactor
    } catch {
      throw .failed(call: error.call, errno: error.errno)
    }
  }

  private init(_ socket: consuming HCISocket, _ wakeUp: WakeUp) {
    self.socket = socket
    self.wakeUp = wakeUp
  }

  /// Nanoseconds on the monotonic clock.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  // MARK: - From the owner

  /// Sends `command` and waits for its answer, until `deadline` or until the calling task is cancelled.
  func perform(_ command: ManagementCommand, deadline: Int64) async -> ManagementRequests.Outcome {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(command, number: number, deadline: deadline) { continuation.resume(returning: $0) }
        // The task may have been cancelled before the request was added to the table.
        if Task.isCancelled { fail(number, .cancelled) }
      }
    } onCancel: {
      fail(number, .cancelled)
    }
  }

  func events() -> AsyncStream<ManagementEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ManagementEvent.self, bufferingPolicy: .bufferingNewest(Self.eventBuffer))
    let number: UInt64? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.nextNumber += 1
      state.streams[state.nextNumber] = continuation
      return state.nextNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends every request and stream, and the thread.
  func close() {
    let (requests, streams) = state.withLock { state in
      defer { state.streams = [:] }
      state.isClosed = true
      return (state.requests.removeAll(), Array(state.streams.values))
    }
    for request in requests { request.finish(.failure(.closed)) }
    for stream in streams { stream.finish() }
    wakeUp.call()
  }

  private func begin(
    _ command: ManagementCommand, number: UInt64, deadline: Int64,
    finish: @escaping @Sendable (ManagementRequests.Outcome) -> Void,
  ) {
    let (packet, bytes): (ManagementPacket, [UInt8])
    do {
      packet = command.packet
      bytes = try packet.encoded()
    } catch {
      finish(.failure(.unexpected(error)))
      return
    }
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.requests.add(
        .init(number: number, command: command, adapter: packet.adapter, deadline: deadline, finish: finish))
      return true
    }
    guard isOpen else {
      finish(.failure(.closed))
      return
    }
    wakeUp.call()
    // A result of 0 is success: kernels return it for commands that they answer during the call. Sending again would execute
    // the command twice.
    while send(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 {
      let code = errno
      if code == EINTR { continue }
      fail(
        number, .access(.of(code, call: "send", what: "use the management interface", capability: "CAP_NET_ADMIN")))
      return
    }
  }

  private func fail(_ number: UInt64, _ error: ManagementError) {
    state.withLock { $0.requests.remove(number: number) }?.finish(.failure(error))
  }

  // MARK: - On the thread

  private func run() {
    var buffer = [UInt8](repeating: 0, count: Self.packetLimit)
    while waitForWork() {
      guard drain(into: &buffer) else { break }
      let now = Self.now()
      for request in state.withLock({ $0.requests.removeExpired(at: now) }) {
        request.finish(.failure(.timedOut(request.command)))
      }
    }
    close()
  }

  /// Waits for a packet, a wake-up or a deadline. Returns `false` if the socket was closed.
  private func waitForWork() -> Bool {
    let (isClosed, deadline) = state.withLock { ($0.isClosed, $0.requests.nextDeadline) }
    if isClosed { return false }
    var timeout: Int32 = -1
    if let deadline {
      // Rounded up, so that the deadline has passed when the wait ends.
      timeout = Int32(clamping: max(0, deadline &- Self.now()) / 1_000_000 + 1)
    }
    var descriptors = [
      pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let ready = poll(&descriptors, nfds_t(descriptors.count), timeout)
    if ready < 0 { return errno == EINTR }
    if descriptors[1].revents != 0 { wakeUp.clear() }
    return true
  }

  /// Reads the available packets. Returns `false` if the socket has ended.
  private func drain(into buffer: inout [UInt8]) -> Bool {
    // Limited, so that a flood of packets does not delay deadlines.
    for _ in 0..<256 {
      let count = recv(socket.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        handle(buffer[..<count])
      } else if count == 0 {
        return false
      } else if errno == EAGAIN {
        return true
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Handles a packet. One that cannot be decoded is ignored: the request that it may have answered times out.
  private func handle(_ bytes: ArraySlice<UInt8>) {
    guard let packet = try? ManagementPacket(decoding: bytes) else { return }
    if let reply = try? ManagementReply(packet) {
      let request = state.withLock { $0.requests.remove(answeredBy: reply) }
      guard let request else { return }
      request.finish(
        reply.status == .success ? .success(reply) : .failure(.refused(request.command, reply.status)))
    } else if let event = try? ManagementEvent(packet) {
      for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(event) }
    }
  }
}
