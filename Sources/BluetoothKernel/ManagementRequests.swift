/// The requests that wait for an answer. Each is removed exactly once, and its `finish` is called with the outcome.
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

  /// The earliest deadline, or `nil` if there are no requests.
  var nextDeadline: Int64? { entries.lazy.map(\.deadline).min() }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
  }

  /// Removes the oldest request that `reply` answers. The kernel answers in order, and identifies only command and adapter.
  mutating func remove(answeredBy reply: ManagementReply) -> Entry? {
    entries.firstIndex { $0.command.code == reply.code && $0.adapter == reply.adapter }.map { entries.remove(at: $0) }
  }

  mutating func remove(number: UInt64) -> Entry? {
    entries.firstIndex { $0.number == number }.map { entries.remove(at: $0) }
  }

  /// Removes and returns the requests whose deadline has passed at `now`.
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
