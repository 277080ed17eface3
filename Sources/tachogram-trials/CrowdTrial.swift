import ArgumentParser
import FakeBlueZ
import Repository
import TachogramCore
import TachogramTestKit

/// A trial of many straps on one station: no notification is lost, and memory does not grow.
struct CrowdTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd", abstract: "Many straps at once for some minutes of accelerated time.")

  @Option(help: "Straps.") var straps = 24
  @Option(help: "Simulated minutes, more than six: until then windows fill.") var minutes = 10
  @Option(help: "Simulated seconds a real one.") var speed = 10

  /// The time at which all windows are full, in simulated minutes.
  private static let settling = 6
  /// The allowed growth of memory after that time, in bytes.
  private static let growth = 2 << 20

  func validate() throws {
    guard minutes > Self.settling else { throw ValidationError("--minutes must be more than \(Self.settling)") }
  }

  func run() async throws {
    let all = (1...max(1, min(200, straps))).map { FakeStrap(number: UInt8($0)) }
    let station = try await TrialStation(straps: all, speed: speed, isPatient: true)
    defer { station.remove() }
    for strap in all { await station.fake.subscribed(strap) }
    let before = Resources.now()
    let seconds = minutes * 60
    var told = 0
    var memory: [Int] = []
    await withTaskGroup(of: Int.self) { group in
      for strap in all {
        group.addTask {
          await TrialPlayer(station: station, strap: strap).play(count: seconds, keepsSendings: false).told
        }
      }
      let watch = Task { await Self.watch(station, minutes: minutes) }
      for await count in group { told += count }
      memory = await watch.value
    }
    await station.wait(notifications: told)
    let after = Resources.now()
    let sessions = try await station.stop()
    var stored = 0
    let repository = SessionRepository(database: station.database)
    for session in sessions {
      try repository.forEachEntry(of: session) { entries in
        stored += entries.count { if case .notification = $0.content { true } else { false } }
      }
    }
    let settled = memory[Self.settling - 1]
    let grown = after.memory - settled
    let cpu = (after.cpu - before.cpu) / Double(all.count)
    print("\(all.count) straps, \(minutes) min: told \(told), in the ledgers \(stored), sessions \(sessions.count)")
    let minutely = memory.map { "\((Double($0) / 1e6).rounded(toPlaces: 1))" }
    print("memory after each minute, MB: \(minutely.joined(separator: " "))")
    print("memory \(after.memory >> 20) MB, grown by \(grown >> 10) kB since the windows were full")
    print("\(cpu.rounded(toPlaces: 2)) CPU s a strap and \(minutes) min (fake daemon and recorder together)")
    if stored != told || sessions.count != all.count || told != all.count * seconds {
      throw TrialFailure("\(all.count * seconds) sent, \(told) told, \(stored) stored")
    }
    if grown > Self.growth { throw TrialFailure("the memory grew by \(grown) bytes") }
  }

  /// Returns the resident memory after each simulated minute.
  private static func watch(_ station: TrialStation, minutes: Int) async -> [Int] {
    var due = station.time.now().monotonic
    var memory: [Int] = []
    for _ in 0..<minutes {
      due = due.advanced(byMicroseconds: 60_000_000)
      try? await station.time.sleep(until: due)
      memory.append(Resources.now().memory)
    }
    return memory
  }
}
