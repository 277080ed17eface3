import FoundationEssentials
import NIOCore
import Synchronization
import TachogramCore

/// The events for all browsers, encoded once for all of them. Each reader has a bounded buffer: a reader that is too slow is
/// disconnected without delaying the others. The most recent events are kept, so that a reader can resume after a lost
/// connection.
package final class EventFeed: Sendable {
  /// The events that readers receive.
  package enum Event: Sendable {
    case live(API.Live)
    case reading(API.Reading)
    case status(API.Status)
  }

  /// The subscription of a reader. Its stream ends with the station, or when the reader falls behind.
  package struct Reader: Sendable {
    let number: Int
    package let stream: AsyncStream<ByteBuffer>
    /// Whether the reader has to receive the whole state, because it is new or missed more events than are kept.
    let needsAll: Bool
  }

  private struct State {
    /// The last events, the oldest first; the last one has the number `count`.
    var kept: [ByteBuffer] = []
    var count: Int64 = 0
    var readers: [Int: (stream: AsyncStream<ByteBuffer>.Continuation, cut: @Sendable () -> Void)] = [:]
    var nextReader = 0
    var dropped: Int64 = 0
    var isQuiet = true
    var needsKeepAlive = false
    var isFinished = false
  }

  /// The number of events kept for readers that reconnect: about a minute of four straps.
  private static let capacity = 256
  /// The maximum number of waiting events per reader.
  private static let backlog = 64

  /// Distinguishes the events of this run of the station from those of previous runs.
  private let epoch: Int64
  private let state = Mutex(State())

  package init(started: WallTime) {
    epoch = started.microseconds
  }

  package struct Counts: Sendable {
    package let readers: Int
    /// The number of readers that were disconnected because they fell behind.
    package let dropped: Int64
    package let events: Int64
  }

  package var counts: Counts {
    state.withLock { Counts(readers: $0.readers.count, dropped: $0.dropped, events: $0.count) }
  }

  // MARK: - Publishing

  /// Sends an event to all readers.
  package func publish(_ event: Event) {
    // One lock covers numbering and sending, so that readers receive events in the order of their numbers.
    state.withLock { state in
      if state.isFinished { return }
      guard let data = Self.data(event) else { return }
      state.count += 1
      let buffer = Self.encoded(data, name: event.name, id: identifier(state.count))
      state.kept.append(buffer)
      if state.kept.count > Self.capacity { state.kept.removeFirst(state.kept.count - Self.capacity) }
      state.isQuiet = false
      Self.yield(buffer, &state)
    }
  }

  /// Sends a keep-alive message to all readers, if nothing was sent since the last call. Returns `false` if there are no
  /// readers.
  @discardableResult
  package func sendKeepAlive() -> Bool {
    state.withLock { state in
      if state.isQuiet { Self.yield(ByteBuffer(string: ":\n\n"), &state) }
      state.isQuiet = true
      if state.readers.isEmpty { state.needsKeepAlive = false }
      return state.needsKeepAlive
    }
  }

  /// Whether the caller has to start calling `sendKeepAlive` periodically, until it returns `false`.
  func beginKeepAlive() -> Bool {
    state.withLock { state in
      defer { state.needsKeepAlive = true }
      return !state.needsKeepAlive
    }
  }

  private static func yield(_ buffer: ByteBuffer, _ state: inout State) {
    for (number, reader) in state.readers {
      guard case .dropped = reader.stream.yield(buffer) else { continue }
      state.dropped += 1
      state.readers[number] = nil
      reader.stream.finish()
      reader.cut()
    }
  }

  /// Ends all streams.
  package func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.stream.finish() }
  }

  // MARK: - Reading

  /// Adds a reader. `last` is the identifier of the last event that it received. `cut` is called when it falls behind.
  package func reader(after last: String?, cut: @escaping @Sendable () -> Void) -> Reader {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.backlog))
    return state.withLock { state in
      let missed = missed(since: last, in: state)
      // Yielded as one element: the buffer counts elements, and missed events do not mean that the reader is slow.
      if let missed, missed.readableBytes > 0 { continuation.yield(missed) }
      let number = state.nextReader
      state.nextReader += 1
      if state.isFinished { continuation.finish() } else { state.readers[number] = (continuation, cut) }
      return Reader(number: number, stream: stream, needsAll: missed == nil)
    }
  }

  /// Removes a reader.
  package func leave(_ reader: Reader) {
    state.withLock { $0.readers[reader.number] = nil }
  }

  /// Returns the whole state as the first event of a reader.
  func first(_ live: API.Live) -> ByteBuffer {
    let count = state.withLock { $0.count }
    return Self.encoded(Self.data(.live(live)) ?? Data(), name: "live", id: identifier(count))
  }

  /// Returns the events that a reader missed, or `nil` if they are not all kept.
  private func missed(since last: String?, in state: State) -> ByteBuffer? {
    guard let parts = last?.split(separator: "-", omittingEmptySubsequences: false), parts.count == 2,
      Int64(parts[0]) == epoch,
      let number = Int64(parts[1]), (0...state.count).contains(number)
    else { return nil }
    let missed = Int(state.count - number)
    guard missed <= state.kept.count else { return nil }
    return state.kept.suffix(missed).reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
  }

  private func identifier(_ number: Int64) -> String { "\(epoch)-\(number)" }

  // MARK: - Encoding

  private static func data(_ event: Event) -> Data? {
    let encoder = JSONEncoder()
    return switch event {
    case .live(let live): try? encoder.encode(live)
    case .reading(let reading): try? encoder.encode(reading)
    case .status(let status): try? encoder.encode(status)
    }
  }

  private static func encoded(_ data: Data, name: String, id: String) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeString("id: \(id)\nevent: \(name)\ndata: ")
    buffer.writeBytes(data)
    buffer.writeString("\n\n")
    return buffer
  }
}

extension EventFeed.Event {
  fileprivate var name: String {
    switch self {
    case .live: "live"
    case .reading: "reading"
    case .status: "status"
    }
  }
}
