import Dashboard
import FoundationEssentials
import Glibc
import Recording
import Repository
import TachogramCore

/// Collects the diagnosis of the station.
struct StationDiagnosis: Sendable {
  private static let megabyte: Int64 = 1_048_576

  let facts: StationFacts
  let storage: StationStorage
  let settings: StationSettings
  let watched: Maintenance.Watched
  let live: API.Live
  let isRecording: Bool
  let isStorageFailing: Bool
  let checks: [API.Diagnosis.Check]

  /// Reads the database and the machine.
  func collect() -> API.Diagnosis {
    let now = storage.time.now()
    return API.Diagnosis(
      version: facts.version, runningSeconds: Int(now.wall.duration(since: facts.started).inSeconds),
      source: facts.isReplay ? "capture" : "radio", isRecording: isRecording, isStorageFailing: isStorageFailing,
      alerts: watched.alerts.map(\.kind.rawValue), machine: Self.machine(uptime: now.monotonic),
      database: database(at: now.wall), configured: (try? settings.setKeys()) ?? [],
      straps: live.readings.map(API.Diagnosis.Strap.init), checks: checks)
  }

  private func database(at now: WallTime) -> API.Diagnosis.Database {
    let database = storage.database
    let condition = storage.condition.now
    return API.Diagnosis.Database(
      schema: (try? database.schemaVersion()) ?? 0, megabytes: Int(database.size / Self.megabyte),
      freeMegabytes: StorageFacts(database: database.path).freeBytes.map { Int($0 / UInt64(Self.megabyte)) },
      sessions: (try? SessionRepository(database: database).sessions().count) ?? 0,
      pendingDerivations: (try? SessionRepository(database: database).pendingDerivations().count) ?? 0,
      snapshots: storage.snapshots.snapshots().count,
      snapshotAgeSeconds: condition.lastSnapshot.map { Int(now.duration(since: $0).inSeconds) },
      isDamaged: condition.damage != nil, isDiskLow: watched.isDiskLow)
  }

  private static func machine(uptime: MonotonicTime) -> API.Diagnosis.Machine {
    var name = utsname()
    uname(&name)
    let memory = line("/proc/meminfo", "MemTotal:").flatMap { line in
      line.split(separator: " ").compactMap { Int($0) }.first.map { $0 / 1024 }
    }
    return API.Diagnosis.Machine(
      system: line("/etc/os-release", "PRETTY_NAME=").map { $0.filter { $0 != "\"" } },
      kernel: withUnsafeBytes(of: &name.release, text), architecture: withUnsafeBytes(of: &name.machine, text),
      processors: ProcessInfo.processInfo.processorCount, memoryMegabytes: memory,
      uptimeSeconds: Int(uptime.microseconds / 1_000_000))
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the rest of the first line of a file that begins with `prefix`.
  private static func line(_ path: String, _ prefix: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }
}
