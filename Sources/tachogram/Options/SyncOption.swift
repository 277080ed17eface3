import ArgumentParser
import CommandProcess
import Foundation
import Repository
import Sessions
import Station
import StressKit
import Sync
import SyncEngine
import TachogramCore

/// The database whose station synchronises.
struct SyncOption: ParsableArguments {
  @OptionGroup var database: DatabaseOption

  /// Opens the database for reading, and returns what `body` makes of the state of synchronisation. It does not wait for another
  /// process that synchronises.
  func read<Value>(_ body: (SpaceState) throws -> Value) throws -> Value {
    guard let opened = try DatabaseOpening.openForReading(ifPresent: try database.path()) else {
      throw CommandFailure(SyncFailure.noSpace.description)
    }
    defer { try? opened.close() }
    do {
      return try body(try StationSync(opened, kind: .sdnn).storedState(at: SystemTimeSource().now().wall))
    } catch let error as SyncFailure {
      throw CommandFailure(error.description)
    }
  }

  /// Opens the database, and runs `body` with its synchronisation.
  func run<Value: Sendable>(_ body: (StationSync) async throws -> Value) async throws -> Value {
    let path = try database.path()
    let opened = try CommandFailure.wording { try DatabaseOpening.open(path) }
    do {
      let value = try await body(StationSync(opened, kind: .sdnn, onWaiting: Self.reportWaiting))
      try CommandFailure.wording { try opened.close() }
      return value
    } catch {
      try? opened.close()
      throw Self.failure(error)
    }
  }

  /// Converts an error to that of the command.
  private static func failure(_ error: any Error) -> any Error {
    switch error {
    case SyncFailure.cancelled, is CancellationError: CommandFailure("stopped by the user", code: .interrupted)
    case let error as SyncFailure: CommandFailure(error.description)
    case let error as StoreFailure: failure(SyncFailure(error))
    case let error as StoreAddressFailure: CommandFailure(error.description, code: .badUsage)
    default: error
    }
  }

  private static func reportWaiting() {
    StandardStreams.error("tachogram: another process synchronises; waiting for its end")
  }

  /// Parses the address of a store.
  static func address(_ text: String) throws -> StoreAddress {
    guard let address = StoreAddress(text, in: FileManager.default.currentDirectoryPath) else {
      throw CommandFailure(StoreAddressFailure.invalid(text).description, code: .badUsage)
    }
    return address
  }

  /// Returns the station with a name, or with the beginning of its identifier in words or digits, which may be removed.
  static func station(_ text: String, in report: SyncStatusReport) throws -> StationID {
    let members = stations(text, among: report.members.map { ($0.id, $0.name) })
    return try only(members.isEmpty ? stations(text, among: report.removed.map { ($0, $1) }) : members, text)
  }

  /// Returns the member with a name, or with the beginning of its identifier in words or digits.
  static func member(_ text: String, in report: SyncStatusReport) throws -> StationID {
    try only(stations(text, among: report.members.map { ($0.id, $0.name) }), text)
  }

  /// Returns the stations that a text may mean: those with this name, or else those with this beginning of their identifier.
  private static func stations(_ text: String, among stations: [(id: StationID, name: String?)]) -> [StationID] {
    if text.isEmpty { return [] }
    let named = stations.filter { $0.name == text }
    let found =
      named.isEmpty ? stations.filter { $0.id.words.hasPrefix(text) || $0.id.description.hasPrefix(text) } : named
    return found.map(\.id)
  }

  private static func only(_ found: [StationID], _ text: String) throws -> StationID {
    guard let station = found.first else {
      throw CommandFailure("no member is called \"\(text)\"; `tachogram sync members` lists them", code: .badUsage)
    }
    guard found.count == 1 else {
      let words = found.map(\.words).joined(separator: ", ")
      throw CommandFailure("several members are called \"\(text)\": \(words); name one by its words", code: .badUsage)
    }
    return station
  }
}
