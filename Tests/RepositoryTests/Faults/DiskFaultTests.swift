import Foundation
import GRDB
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Every operation below SQLite fails once, and with all behind it, in each step of a database's life.
@Suite("Faults of the disk")
struct DiskFaultTests {
  /// What the disk does, and to how many operations in a row.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: FaultyDisk.Fault
    let times: Int64

    var testDescription: String { "\(fault), \(times == .max ? "from then on" : "once")" }

    /// Every sixth operation is tried as the only one that fails, and every 31st as the first of all: steps have no such
    /// rhythm. With `TACHOGRAM_FAULTS=every`, which takes a minute, it is each and every seventh.
    var stride: Int64 {
      let isThorough = ProcessInfo.processInfo.environment["TACHOGRAM_FAULTS"] == "every"
      return times == .max ? (isThorough ? 7 : 31) : (isThorough ? 1 : 6)
    }
  }

  /// Who waits for a lock that is never let go waits for ten seconds: SQLite's own timeout for a log.
  static let cases = [
    Case(fault: .full, times: 1), Case(fault: .full, times: .max), Case(fault: .inputOutput, times: 1),
    Case(fault: .inputOutput, times: .max), Case(fault: .readOnly, times: 1), Case(fault: .readOnly, times: .max),
    Case(fault: .busy, times: 1),
  ]

  private let folder: TemporaryFolder
  private let saved: TemporaryFolder
  private let disk: FaultyDisk
  /// Never fails, and waits for nothing.
  private let savedDisk: FaultyDisk

  init() throws {
    folder = try TemporaryFolder()
    saved = try TemporaryFolder()
    disk = try FaultyDisk(folder: folder.url.path)
    savedDisk = try FaultyDisk(folder: saved.url.path)
  }

  private func open(_ name: String = "tachogram.sqlite") throws -> TachogramDatabase {
    try .open(path: folder.path(name), busyTimeout: .milliseconds(1))
  }

  private static func dump(_ database: TachogramDatabase) throws -> DatabaseDump {
    try database.writer.read { db in try DatabaseDump(db) }
  }

  /// What is told of a fault says so, and blames neither the database nor the program.
  private func check(_ error: any Error, _ fault: FaultyDisk.Fault, _ place: String) throws {
    let error = try #require(error as? RepositoryError, "\(place)")
    let isRight =
      switch (fault, error) {
      case (.full, .full), (.full, .inputOutput), (.full, .cannotOpen): true
      case (.inputOutput, .inputOutput), (.inputOutput, .cannotOpen): true
      case (.readOnly, .readOnly), (.readOnly, .cannotOpen), (.readOnly, .inputOutput): true
      case (.busy, .busy): true
      default: false
      }
    #expect(isRight, "\(place): \(error)")
    #expect(error.description.contains(folder.url.path), "\(place)")
  }

  // MARK: - Opening

  @Test(arguments: cases)
  func testFaultWhileADatabaseIsMade_LeavesOneThatOpens(_ fault: Case) throws {
    let empty = try Self.dump(try open("reference.sqlite"))
    var failures: Int64 = 1
    var operation = 1 - fault.stride
    while failures > 0 {
      operation += fault.stride
      let path = folder.path("new.sqlite")
      let place = "\(disk.lastFailure) \(operation)"
      disk.fail(fault.fault, at: operation, times: fault.times)
      do { try open("new.sqlite").close() } catch { try check(error, fault.fault, place) }
      failures = disk.failures
      disk.mend()
      let database = try open("new.sqlite")
      let found = try Self.dump(database)
      #expect(found == empty, "\(place): \(found.difference(from: empty))")
      #expect(try database.checkIntegrity() == [], "\(place)")
      try database.close()
      DatabaseFiles(path: path).remove()
    }
    // Else nothing was tried.
    #expect(operation > 5)
  }

  /// The log of a process that was killed is read, and moved into the file at the end.
  @Test(arguments: cases)
  func testFaultWhileALogIsRecovered_LosesNothing(_ fault: Case) throws {
    let database = try open()
    try SessionRepository(database: database).begin(SessionFixture.description(), with: SessionFixture.batch(0..<100))
    let stored = try Self.dump(database)
    try DatabaseFiles(path: folder.database).copy(to: saved.database)
    try database.close()
    var failures: Int64 = 1
    var operation = 1 - fault.stride
    while failures > 0 {
      operation += fault.stride
      try DatabaseFiles(path: saved.database).copy(to: folder.database)
      disk.fail(fault.fault, at: operation, times: fault.times)
      do { try open().close() } catch { try check(error, fault.fault, "operation \(operation)") }
      failures = disk.failures
      disk.mend()
      let database = try open()
      #expect(try Self.dump(database) == stored, "\(disk.lastFailure) \(operation)")
      #expect(try database.checkIntegrity() == [], "\(disk.lastFailure) \(operation)")
      try database.close()
    }
    #expect(operation > 5)
  }

  // MARK: - Using

  /// After each failure the state is that before the step; it is so after a crash, and the same connections go on.
  @Test(arguments: cases)
  func testFaultInAnyStep_IsToldAndUndoesTheStep(_ fault: Case) async throws {
    let reference = try TachogramDatabase.open(path: saved.path("reference.sqlite"))
    var database = try open()
    var tried = 0
    for step in FaultScenario.steps {
      let before = try Self.dump(reference)
      try await step.body(reference)
      let after = try Self.dump(reference)
      try DatabaseFiles(path: folder.database).copy(to: saved.database)
      var failures: Int64 = 1
      var operation = 1 - fault.stride
      while failures > 0 {
        operation += fault.stride
        disk.fail(fault.fault, at: operation, times: fault.times)
        let result = await Self.outcome { try await step.body(database) }
        failures = disk.failures
        tried += failures > 0 ? 1 : 0
        let place = "\(step.name), \(disk.lastFailure) \(operation)"
        disk.mend()
        let crash = try DatabaseDump.afterCrash(of: folder.database)
        #expect(crash.damage == [], "\(place)")
        if let error = result {
          try check(error, fault.fault, place)
          #expect(crash.dump == before || crash.dump == after, "\(place): \(crash.dump.difference(from: before))")
        } else {
          #expect(crash.dump == after, "\(place): \(crash.dump.difference(from: after))")
          if failures == 0 { break }
          // It did no harm, and the step is done: back to where it began.
          try database.close()
          try DatabaseFiles(path: saved.database).copy(to: folder.database)
          database = try open()
        }
      }
      let found = try Self.dump(database)
      #expect(found == after, "\(step.name): \(found.difference(from: after))")
    }
    #expect(tried >= FaultScenario.steps.count, "\(tried) faults were tried")
    #expect(try database.checkIntegrity() == [])
  }

  private static func outcome(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Closing

  @Test(arguments: cases)
  func testFaultWhileClosing_LosesNothing(_ fault: Case) throws {
    var failures: Int64 = 1
    var operation = 1 - fault.stride
    while failures > 0 {
      operation += fault.stride
      let database = try open()
      let id = SessionFixture.identifier(Int(operation))
      try SessionRepository(database: database)
        .begin(SessionFixture.description(id: id), with: SessionFixture.batch(0..<20))
      let stored = try Self.dump(database)
      disk.fail(fault.fault, at: operation, times: fault.times)
      do { try database.close() } catch { try check(error, fault.fault, "operation \(operation)") }
      failures = disk.failures
      disk.mend()
      let again = try open()
      #expect(try Self.dump(again) == stored, "\(disk.lastFailure) \(operation)")
      #expect(try again.checkIntegrity() == [], "\(disk.lastFailure) \(operation)")
      try again.close()
    }
  }
}
