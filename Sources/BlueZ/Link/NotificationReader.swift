import Glibc
import Threads

/// Reads the sockets provided by the daemon for notifications, with one thread for all of them. Each packet is one value.
package final class NotificationReader: Sendable {
  private struct Source {
    var descriptor: Int32
    var onValue: @Sendable ([UInt8]) -> Void
    var onEnd: @Sendable () -> Void
  }

  private struct State {
    var sources: [Int: Source] = [:]
    var next = 0
    var isRunning = false
  }

  /// The longest value of an attribute (Core Specification 5.4, Vol 3, Part F, 3.2.9).
  private static let longestValue = 512
  /// The maximum number of packets read from one socket before the others are read.
  private static let turn = 64

  private let state = Guarded(State())
  /// Called when the sources change.
  private let wakeUp: WakeUp

  package init() {
    // Without a wake-up the thread notices changes late, but correctly, because poll has a time-out.
    do { wakeUp = try WakeUp() } catch { wakeUp = .unheard }
  }

  /// Takes ownership of `descriptor` and reads it until it ends, which calls `onEnd` once, or until it is removed. Returns the
  /// number of the source.
  package func add(
    _ descriptor: Int32, onValue: @escaping @Sendable ([UInt8]) -> Void, onEnd: @escaping @Sendable () -> Void,
  ) -> Int {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let (number, mustStart) = state.withLock { state in
      state.next += 1
      state.sources[state.next] = Source(descriptor: descriptor, onValue: onValue, onEnd: onEnd)
      let mustStart = !state.isRunning
      state.isRunning = true
      return (state.next, mustStart)
    }
    if mustStart { start() } else { wakeUp.call() }
    return number
  }

  /// Closes a source; `onEnd` is not called. A value that is being read may still be delivered.
  package func remove(_ number: Int) {
    let source = state.withLock { $0.sources.removeValue(forKey: number) }
    if let source { Glibc.close(source.descriptor) }
    wakeUp.call()
  }

  /// Starts the thread, which ends when there is no source left.
  private func start() {
    do {
      try WorkerThread.start("tachogram-gatt") { self.run() }
    } catch {
      endAll()
    }
  }

  /// Ends all sources, because they cannot be read without a thread.
  private func endAll() {
    let sources = state.withLock { state in
      state.isRunning = false
      defer { state.sources = [:] }
      return Array(state.sources.values)
    }
    for source in sources {
      Glibc.close(source.descriptor)
      source.onEnd()
    }
  }

  private func run() {
    var buffer = [UInt8](repeating: 0, count: Self.longestValue)
    while true {
      let sources: [(number: Int, source: Source)]? = state.withLock { state in
        if state.sources.isEmpty {
          state.isRunning = false
          return nil
        }
        return state.sources.map { ($0.key, $0.value) }
      }
      guard let sources else { return }
      var polled = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
      polled += sources.map { pollfd(fd: $0.source.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), 1000) > 0 else { continue }
      if polled[0].revents != 0 { wakeUp.clear() }
      for (entry, source) in zip(polled.dropFirst(), sources) where entry.revents != 0 {
        drain(source.number, source.source, &buffer)
      }
    }
  }

  private func drain(_ number: Int, _ source: Source, _ buffer: inout [UInt8]) {
    for _ in 0..<Self.turn {
      // Under the lock, so that a descriptor that was closed, and whose number may be in use for another file, is not read.
      let count: Int? = state.withLock { state in
        state.sources[number] == nil ? nil : recv(source.descriptor, &buffer, buffer.count, 0)
      }
      guard let count else { return }
      if count > 0 {
        source.onValue(Array(buffer[..<count]))
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
        return
      } else {
        guard state.withLock({ $0.sources.removeValue(forKey: number) }) != nil else { return }
        Glibc.close(source.descriptor)
        source.onEnd()
        return
      }
    }
  }
}
