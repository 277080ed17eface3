import ArgumentParser
import Repository
import TachogramCore
import TachogramTestKit

/// Many straps on one station: nothing is lost, and memory stays flat.
struct CrowdTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crowd", abstract: "Many straps at once for some minutes of accelerated time.")

  @Option(help: "Straps.") var straps = 24
  @Option(help: "Simulated minutes.") var minutes = 10
  @Option(help: "Simulated seconds a real one.") var speed = 10

  /// How much the memory may grow from the first minute on, in bytes: what is derived of a session is not all on disk.
  private static let growth = 24 << 20

  func run() async throws {
    let all = (1...max(1, min(200, straps))).map { FakeStrap(number: UInt8($0)) }
    let station = try await TrialStation(straps: all, speed: speed, isPatient: true)
    defer { station.remove() }
    for strap in all { await station.fake.subscribed(strap) }
    let before = Resources.now()
    let seconds = minutes * 60
    var settled: Int?
    let told = await withTaskGroup(of: Int.self) { group in
      for strap in all { group.addTask { await TrialPlayer(station: station, strap: strap).play(count: seconds).told } }
      let watch = Task {
        let due = station.time.now().monotonic.advanced(byMicroseconds: 60_000_000)
        try? await station.time.sleep(until: due)
        return Resources.now().memory
      }
      var told = 0
      for await count in group { told += count }
      settled = await watch.value
      return told
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
    let grown = after.memory - (settled ?? after.memory)
    let cpu = (after.cpu - before.cpu) / Double(all.count)
    print("\(all.count) straps, \(minutes) min: told \(told), in the ledgers \(stored), sessions \(sessions.count)")
    print("memory \(after.memory >> 20) MB, grown by \(grown >> 10) kB since the first minute")
    print("\(cpu.rounded(toPlaces: 2)) CPU s a strap and \(minutes) min (fake daemon and recorder together)")
    if stored != told || sessions.count != all.count || told != all.count * seconds {
      throw TrialFailure("\(all.count * seconds) sent, \(told) told, \(stored) stored")
    }
    if grown > Self.growth { throw TrialFailure("the memory grew by \(grown) bytes") }
  }
}
