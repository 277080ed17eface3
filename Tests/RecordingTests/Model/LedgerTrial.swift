import FoundationEssentials
import GATT
import Recording
import Repository
import TachogramCore
import TachogramTestKit

/// Runs commands on recordings into one database, and holds what is stored against the model and against itself.
struct LedgerTrial {
  private static let epoch: Int64 = 1_700_000_000_000_000

  private let folder: TemporaryFolder
  private let disk: FaultyDisk
  private let clock = ManualTimeSource(epoch: epoch)
  private var database: TachogramDatabase
  private var bench: RecorderBench
  private var models = [LedgerModel(), LedgerModel()]
  private var last: [[UInt8]] = [[0x10, 60, 0, 4], [0x10, 60, 0, 4]]
  /// The time of what happens now, which the clock follows, in microseconds.
  private var now = epoch
  private var clockNow = epoch
  private var wallOffset: Int64 = 0
  private var isFailing = false
  private var files = 0

  init() async throws {
    folder = try TemporaryFolder()
    disk = try FaultyDisk(folder: folder.url.path)
    database = try .open(path: folder.path("0.sqlite"))
    bench = RecorderBench(database: database, options: Self.options, clock: clock)
    await identify()
  }

  private static let options = LiveOptions(person: "anna", endAfter: LedgerModel.endAfter, resumes: true)

  /// What was not as it ought to be; `nil` when all was.
  static func problem(_ commands: [LedgerCommand]) async throws -> String? {
    var trial = try await LedgerTrial()
    for (number, command) in commands.enumerated() {
      if let problem = try await trial.run(command) { return "\(problem) at command \(number + 1), \(command)" }
    }
    return try await trial.end()
  }

  private func identity(_ strap: Int, battery: UInt8? = nil) -> StrapIdentity {
    StrapIdentity(
      address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(strap), kind: .random),
      characteristics: battery.map { [0x2A19: [$0]] } ?? [:])
  }

  private mutating func identify() async {
    for strap in models.indices { await emit(strap, .identified(identity(strap))) }
  }

  private mutating func emit(_ strap: Int, _ content: StrapEvent.Content) async {
    await bench.hear([StrapEvent(strap: strap, monotonic: monotonic, wall: wall, content: content)])
  }

  private var monotonic: MonotonicTime { MonotonicTime(microseconds: now) }
  private var wall: WallTime { WallTime(microseconds: now + wallOffset) }

  // MARK: - Running

  private mutating func run(_ command: LedgerCommand) async throws -> String? {
    switch command {
    case .notify(let strap, let after, let value):
      now += after * 1000
      return try await notify(strap, value)
    case .again(let strap): return try await notify(strap, last[strap])
    case .linkDown(let strap, let reason):
      guard models[strap].isUp else { return nil }
      await emit(strap, .linkDown(reason: reason))
      models[strap].linkDown(reason: reason, monotonic, wall)
    case .identify(let strap, let battery): await emit(strap, .identified(identity(strap, battery: battery)))
    case .pass(let seconds): return try await pass(seconds)
    case .stepClock(let seconds): wallOffset += seconds * 1_000_000
    case .fail(let isFull, let operation):
      isFailing = true
      disk.fail(isFull ? .full : .readOnly, at: operation, times: .max)
    case .mend: mend()
    case .kill: return try await kill()
    }
    return nil
  }

  private mutating func mend() {
    isFailing = false
    disk.mend()
  }

  private mutating func notify(_ strap: Int, _ value: [UInt8]) async throws -> String? {
    if models[strap].isBetweenSessions, isFailing {
      // What is stored decides which session it is of.
      mend()
      if let problem = try await pass(1) { return problem }
    }
    if !models[strap].isUp {
      await emit(strap, .linkUp(handle: 0x12, handleSource: .discovered, bootID: "boot"))
      models[strap].linkUp()
    }
    await emit(strap, .notification(value))
    models[strap].notification(value, monotonic, wall)
    last[strap] = value
    return nil
  }

  /// Lets the clock catch up with what was told, and so much more time pass; what is due is stored.
  private mutating func pass(_ seconds: Int64) async throws -> String? {
    let passed = max(1, (now - clockNow + 999_999) / 1_000_000 + seconds)
    await bench.pass(seconds: passed)
    clockNow += passed * 1_000_000
    now = clockNow
    let isStored = await bench.recorder.storageFailure == nil
    for strap in models.indices { models[strap].pass(until: monotonic, isStored: isStored) }
    if !isFailing, !isStored { return "what was heard was not stored though nothing failed" }
    return isStored ? try difference() : nil
  }

  /// The database as it is now is all that is left, and another program goes on with it.
  private mutating func kill() async throws -> String? {
    files += 1
    let path = folder.path("\(files).sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database.path + suffix) {
      try FileManager.default.copyItem(atPath: database.path + suffix, toPath: path + suffix)
    }
    mend()
    _ = try? await bench.end()
    try database.close()
    database = try .open(path: path)
    for strap in models.indices {
      var left: [MonotonicTime: (count: Int, isComplete: Bool)] = [:]
      for session in try stored(strap) {
        guard let first = session.entries.first else { return "a session without entries" }
        left[first.monotonic] = (session.entries.count, session.isComplete)
      }
      for session in models[strap].sessions where session.stored > 0 {
        guard let first = session.entries.first?.monotonic, let count = left[first]?.count, count >= session.stored
        else { return "\(session.stored) stored entries did not outlive the kill" }
      }
      models[strap].kill(left: left)
    }
    bench = RecorderBench(database: database, options: Self.options, clock: clock)
    await identify()
    return try difference()
  }

  private mutating func end() async throws -> String? {
    mend()
    _ = try await bench.end()
    for strap in models.indices { models[strap].end() }
    return try difference() ?? database.checkIntegrity().first
  }

  // MARK: - Comparing

  /// The sessions of a strap, by their first entry.
  private func stored(_ strap: Int) throws -> [StoredSession] {
    try SessionRepository(database: database).sessions()
      .filter { $0.description.strap.address == identity(strap).address }
      .map { try StoredSession($0.description.id, in: database) }
      .sorted { ($0.entries.first?.monotonic.microseconds ?? 0) < ($1.entries.first?.monotonic.microseconds ?? 0) }
  }

  private func difference() throws -> String? {
    for strap in models.indices {
      let found = try stored(strap)
      let expected = models[strap].sessions
      guard found.map(\.entries) == expected.map(\.entries) else {
        return "the ledgers of strap \(strap) are \(found.map(\.entries)), told was \(expected.map(\.entries))"
      }
      guard found.map(\.isComplete) == expected.map(\.isComplete) else {
        return "sessions of strap \(strap) are complete: \(found.map(\.isComplete)), not \(expected.map(\.isComplete))"
      }
      for session in found {
        if let problem = session.contradiction() { return "strap \(strap): \(problem)" }
      }
    }
    return nil
  }
}
