/// The requests that wait for an answer. Every one leaves the table exactly once, with what its `finish` is called for.
struct ManagementRequests {
  typealias Outcome = Result<ManagementReply, ManagementError>

  /// One request.
  struct Entry {
    let number: UInt64
    let command: ManagementCommand
    let adapter: UInt16?
    /// Nanoseconds on the monotonic clock.
    let deadline: Int64
    let finish: @Sendable (Outcome) -> Void
  }

  /// In the order in which they were made.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// When the next request runs out of time.
  var nextDeadline: Int64? { entries.lazy.map(\.deadline).min() }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
  }

  /// The oldest request that `reply` answers: the kernel answers in order, and names command and adapter only.
  mutating func remove(answeredBy reply: ManagementReply) -> Entry? {
    entries.firstIndex { $0.command.code == reply.code && $0.adapter == reply.adapter }.map { entries.remove(at: $0) }
  }

  mutating func remove(number: UInt64) -> Entry? {
    entries.firstIndex { $0.number == number }.map { entries.remove(at: $0) }
  }

  /// The requests whose time is over at `now`.
  mutating func removeExpired(at now: Int64) -> [Entry] {
    let expired = entries.filter { $0.deadline <= now }
    entries.removeAll { $0.deadline <= now }
    return expired
  }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }
}
