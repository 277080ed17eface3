import Foundation
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit

/// Runs commands on a database in a file and on the model, and compares them after each.
struct RepositoryTrial {
  private let folder: TemporaryFolder
  private let disk: FaultyDisk
  private var database: TachogramDatabase
  private var model: RepositoryModel
  private var files = 0

  private init(model: RepositoryModel = RepositoryModel(), from stored: DatabaseFiles? = nil) throws {
    self.model = model
    folder = try TemporaryFolder()
    disk = try FaultyDisk(folder: folder.url.path)
    let path = folder.path("0.sqlite")
    try stored?.copy(to: path)
    database = try Self.open(path)
  }

  /// Who finds the database locked does not wait.
  private static func open(_ path: String) throws -> TachogramDatabase {
    try .open(path: path, busyTimeout: .milliseconds(1))
  }

  /// What was not as the model says; `nil` when all was.
  static func problem(_ commands: [RepositoryCommand]) async throws -> String? {
    var trial = try RepositoryTrial()
    for (number, command) in commands.enumerated() {
      if let problem = try await trial.run(command) ?? trial.difference() {
        return "\(problem) after command \(number + 1), \(command)"
      }
      if let problem = try await trial.differenceOfMeasurements() { return "\(problem) after \(command)" }
    }
    let damage = try trial.database.checkIntegrity()
    return damage.isEmpty ? nil : damage.joined(separator: "; ")
  }

  // MARK: - Running

  private mutating func run(_ command: RepositoryCommand) async throws -> String? {
    let sessions = SessionRepository(database: database)
    let deletion = DeletionRepository(database: database)
    switch command {
    case .begin(let session, let person, let hour):
      let count = try sessions.begin(RepositoryModel.description(session, person, hour))
      model.begin(session, person, hour)
      return count == model.sessions[session]?.entries.count ?? 0 ? nil : "begin tells \(count) entries"
    case .append(let session, let count):
      guard model.sessions[session] != nil else { return nil }
      let batch = model.batch(session, count)
      try sessions.append(batch, to: SessionFixture.identifier(session))
      model.append(batch, to: session)
    case .describe(let session, let battery):
      guard var strap = model.sessions[session]?.description.strap else { return nil }
      strap.characteristics[0x2A19] = [battery]
      try sessions.append(SessionBatch(), to: SessionFixture.identifier(session), describing: strap)
      model.sessions[session]?.description.strap = strap
    case .finish(let session):
      guard model.sessions[session] != nil else { return nil }
      try sessions.finish(SessionFixture.identifier(session))
      model.sessions[session]?.isComplete = true
    case .delete(let choice):
      let selection = RepositoryModel.selection(choice)
      let expected = model.contents(choice)
      guard try deletion.preview(selection) == expected else {
        return "the preview is \(try deletion.preview(selection))"
      }
      let deleted = try deletion.delete(selection)
      model.delete(choice)
      return deleted == expected ? nil : "deleted is \(deleted)"
    case .expire(let hour):
      let count = try deletion.expire(before: RepositoryModel.start(hour), except: [])
      return count == model.expire(before: RepositoryModel.start(hour)) ? nil : "\(count) expired"
    case .expireWindows(let hour):
      try deletion.deleteWindows(before: RepositoryModel.start(hour), except: [])
      model.expireWindows(before: RepositoryModel.start(hour))
    case .refresh:
      try TrendRepository(database: database, timeZone: .gmt).refresh()
      model.refresh()
    case .reopen: try reopen()
    case .crash: try crash()
    case .faulty(let command, let fault, let operation, let times):
      return try await runFaulty(command, fault, operation, times)
    case .remember, .rename, .assign, .forget: return try runOnStraps(command)
    case .save, .bury, .buryAll: return try await runOnMeasurements(command)
    }
    return nil
  }

  private mutating func runOnStraps(_ command: RepositoryCommand) throws -> String? {
    let straps = StrapRepository(database: database)
    func strap(_ number: Int, _ name: String = "none") -> KnownStrap {
      KnownStrap(
        address: RepositoryModel.address(number), name: name, isBonded: true,
        added: WallTime(microseconds: Int64(number)))
    }
    switch command {
    case .remember(let number, let name, let person):
      var new = strap(number, name)
      new.person = person
      let stored = try straps.remember(new)
      model.remember(number, name, person)
      return stored.name == model.straps[number]?.name ? nil : "it is called \(stored.name)"
    case .rename(let number, let name):
      let isFree = model.rename(number, name)
      do throws(RepositoryError) {
        try straps.rename(strap(number), to: name)
        return isFree ? nil : "a taken name was given"
      } catch {
        guard error == .strapNameTaken(name: name) else { throw error }
        return isFree ? "a free name was refused" : nil
      }
    case .assign(let number, let person, let label):
      try straps.assign(strap(number), person: person, label: label)
      model.assign(number, person, label)
    case .forget(let number):
      try straps.forget(strap(number))
      model.straps[number] = nil
    default: break
    }
    return nil
  }

  private func measurements(of person: String?) -> StressRepository {
    let now = SessionFixture.stress().timestamp
    return StressRepository(database: database, person: person, kind: .sdnn, now: { now })
  }

  private mutating func runOnMeasurements(_ command: RepositoryCommand) async throws -> String? {
    switch command {
    case .save(let number, let person):
      let measurement = RepositoryModel.measurement(number, person, nil)
      let mayBeStored = model.save(measurement)
      do {
        try await measurements(of: person).save(measurement)
        return mayBeStored ? nil : "a measurement of somebody else was replaced"
      } catch RepositoryError.measurementConflict {
        return mayBeStored ? "it was refused" : nil
      }
    case .bury(let number, let person):
      try await measurements(of: person).delete(RepositoryModel.measurement(number, person, nil))
      model.bury(RepositoryModel.identifier(number), person)
    case .buryAll(let person):
      try await measurements(of: person).deleteAll()
      model.bury(nil, person)
    default: break
    }
    return nil
  }

  /// A command that fails leaves what was, or what it was to bring about: for these connections, and behind a crash.
  private mutating func runFaulty(
    _ command: RepositoryCommand, _ fault: FaultyDisk.Fault, _ operation: Int64, _ times: Int64
  ) async throws -> String? {
    let before = model
    var twin = try RepositoryTrial(model: model, from: DatabaseFiles(path: database.path))
    if let problem = try await twin.run(command) { return problem }
    try twin.database.close()
    do {
      disk.fail(fault, at: operation, times: times)
      defer { disk.mend() }
      return try await run(command)
    } catch is RepositoryError {
      model = before
    }
    // A transaction that could not be ended may stand in the log, where a crash finds it, until the next is written there.
    if operation.isMultiple(of: 2) { try crash() } else { try database.emptyLog() }
    if try await differs() { model = twin.model }
    return nil
  }

  private mutating func reopen() throws {
    let path = database.path
    try database.close()
    database = try Self.open(path)
  }

  /// Goes on with what a power cut leaves.
  private mutating func crash() throws {
    files += 1
    let path = folder.path("\(files).sqlite")
    try DatabaseFiles(path: database.path).copy(to: path)
    try database.close()
    database = try Self.open(path)
  }

  // MARK: - Comparing

  private func differs() async throws -> Bool {
    if try difference() != nil { return true }
    return try await differenceOfMeasurements() != nil
  }

  private func difference() throws -> String? {
    let repository = SessionRepository(database: database)
    let records = try repository.sessions()
    guard records.map(\.description.id).sorted() == model.sessions.values.map(\.description.id).sorted() else {
      return "the sessions are \(records.map(\.description.id))"
    }
    for (number, expected) in model.sessions {
      let id = SessionFixture.identifier(number)
      var found = RepositoryModel.Session(description: try repository.session(matching: id).description)
      found.isComplete = try repository.session(matching: id).isComplete
      try repository.forEachEntry(of: id) { found.entries += $0 }
      try repository.forEachBeat(of: id) { found.beats += $0 }
      found.windows = try repository.windows(of: id)
      var expected = expected
      // Windows that end together are one.
      expected.windows = Dictionary(expected.windows.map { ($0.end, $0) }, uniquingKeysWith: { $1 }).values
        .sorted { $0.end < $1.end }
      if found != expected { return "session \(number) is \(found), expected \(expected)" }
    }
    let persons = try HistoryRepository(database: database).persons()
    if persons != model.persons.sorted() { return "the people are \(persons)" }
    let straps = try StrapRepository(database: database).straps()
    if straps != model.straps.sorted(by: { $0.key < $1.key }).map(\.value) { return "the straps are \(straps)" }
    return try differenceOfTrends()
  }

  private func differenceOfTrends() throws -> String? {
    let day = CivilDay(number: SessionFixture.wallStart / 86_400_000_000)
    for person in RepositoryCommand.persons {
      let points = try TrendRepository(database: database, timeZone: .gmt).points(of: person, .day, last: day).points
      let expected = model.trends.filter { $0.key.person == person }.sorted { $0.key.hour < $1.key.hour }
      let isSame =
        points.count == expected.count
        && zip(points, expected).allSatisfy { point, hour in
          let rates = hour.value
          let mean = rates.reduce(0, +) / Double(rates.count)
          return point.start.microseconds == hour.key.hour * RepositoryModel.hour
            && point.minutes == Double(rates.count) && point.lowestHeartRate == rates.min()
            && abs((point.meanHeartRate ?? .nan) - mean) < 1e-9
        }
      if !isSame { return "the hours of \(person ?? "nobody") are \(points), expected \(expected)" }
    }
    return nil
  }

  private func differenceOfMeasurements() async throws -> String? {
    for person in RepositoryCommand.persons {
      let found = try await measurements(of: person).fetchAll()
      let expected = model.measurements.values.filter { !$0.isBuried && $0.measurement.person == person }
        .map(\.measurement)
      if Set(found) != Set(expected) || found.count != expected.count {
        return "the measurements of \(person ?? "nobody") are \(found), expected \(expected)"
      }
    }
    return nil
  }
}
