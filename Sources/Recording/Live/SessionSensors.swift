import TachogramCore

/// The sensor entries of a session during its recording: numbers them, and computes movement.
///
/// A session begins with its first heart rate. What arrives before waits, the oldest frames being dropped beyond a limit.
package struct SessionSensors: Sendable {
  /// An entry without its place in the session.
  package struct Received: Hashable, Sendable {
    var content: SensorEntry.Content
    /// The time of arrival, on the axis of the source.
    var monotonic: MonotonicTime
    var wall: WallTime

    package init(content: SensorEntry.Content, monotonic: MonotonicTime, wall: WallTime) {
      self.content = content
      self.monotonic = monotonic
      self.wall = wall
    }
  }

  /// The largest number of frames that wait for the beginning of the session: some minutes of all streams at their usual rates.
  package static let waitingLimit = 4_096

  /// What waits for the beginning of the session, in order.
  private(set) var waiting: [Received] = []
  /// The streams that run on the current link.
  private var running = RunningStreams<Received>()
  private var count: Int64 = 0
  /// `nil` until the session begins.
  private var movement: MovementDeriver?

  package init() {}

  /// Begins the session on the axis of its ledger. `count` and `movement` are those of the stored entries of a resumed session.
  package mutating func begin(at start: MonotonicTime, count: Int64 = 0, movement: MovementDeriver? = nil) {
    self.count = count
    self.movement = movement ?? MovementDeriver(start: start)
  }

  /// Keeps an entry until the session begins.
  mutating func wait(_ received: Received) {
    running.note(received, received.content)
    waiting.append(received)
    guard waiting.count > Self.waitingLimit, let oldest = waiting.firstIndex(where: \.isFrame) else { return }
    waiting.remove(at: oldest)
  }

  /// Removes and returns what waited.
  mutating func drainWaiting() -> [Received] {
    defer { waiting = [] }
    return waiting
  }

  /// Numbers an entry of a session that has begun, and adds it to `batch` with the epochs that it completes.
  package mutating func append(_ received: Received, link: Int, shift: Duration, to batch: inout SessionBatch) {
    running.note(received, received.content)
    let entry = SensorEntry(
      sequence: count, link: link, monotonic: received.monotonic.advanced(by: shift), wall: received.wall,
      content: received.content)
    count += 1
    batch.sensors.append(entry)
    movement?.ingest(entry)
    batch.movement += movement?.drain() ?? []
  }

  /// Ends the streams of the link.
  package mutating func linkDown() {
    running = RunningStreams()
    if movement == nil { waiting = [] }
    movement?.linkDown()
  }

  /// Ends the session, and adds the movement of its last, shorter epoch to `batch`.
  package mutating func finish(_ batch: inout SessionBatch) {
    movement?.finish()
    batch.movement += movement?.drain() ?? []
  }

  /// Returns the sensors of the session of the same link that follows: its entries begin with the starts of the running streams,
  /// without which frames cannot be read.
  func successor() -> SessionSensors {
    var next = SessionSensors()
    next.running = running
    next.waiting = running.all.sorted { $0.monotonic < $1.monotonic }
    return next
  }
}

extension SessionSensors.Received {
  fileprivate var isFrame: Bool { if case .frame = content { true } else { false } }
}
