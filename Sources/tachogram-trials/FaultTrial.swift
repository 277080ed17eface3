import ArgumentParser
import FakeBlueZ
import GATT
import Repository
import TachogramCore
import TachogramTestKit

/// A trial of faults: each fault happens many times at random moments of one recording. The session continues, the gap has the
/// right length, and data flows again without intervention.
struct FaultTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "Faults at random moments while recording; prints the recovery times.")

  /// The delay of a thread on a busy machine, in microseconds of real time.
  private static let scheduling: Int64 = 100_000

  @Option(help: "How often each fault happens.") var times = 50
  @Option(help: "Simulated seconds a real one.") var speed = 20
  @Option(help: "Seed of the random moments.") var seed: UInt64 = 1
  @Flag(help: "The daemon offers advertisement monitors.") var monitors = false
  @Option(help: "Only this fault; may be given several times.") var only: [FaultKind] = []

  func run() async throws {
    print("fault           times  p50 s  p99 s  max s  gaps right  sessions")
    var failures: [String] = []
    for kind in only.isEmpty ? FaultKind.allCases : only { failures += try await run(kind) }
    if !failures.isEmpty { throw TrialFailure(failures.joined(separator: "\n")) }
  }

  private func run(_ kind: FaultKind) async throws -> [String] {
    var strap = FakeStrap()
    strap.requiresBond = kind == .bondLost
    var configuration = FakeBlueZConfiguration()
    if monitors { configuration.monitorTypes = ["or_patterns"] }
    let station = try await TrialStation(straps: [strap], speed: speed, configuration: configuration)
    defer { station.remove() }
    let player = TrialPlayer(station: station, strap: strap)
    let playing = Task { await player.play() }
    var random = SplitMix64(seed: seed &+ UInt64(FaultKind.allCases.firstIndex(of: kind) ?? 0))
    var recoveries: [Double] = []
    for _ in 0..<times {
      try await pass(3 + random.unit() * 12, station)
      let begin = station.time.now().monotonic
      try await kind.happen(to: strap, on: station.fake, time: station.time)
      let from = kind.countsFromTheBeginning ? begin : station.time.now().monotonic
      let count = station.notified
      await station.wait(notifications: count + 1)
      recoveries.append(station.time.now().monotonic.seconds(since: from))
    }
    try await pass(10, station)
    playing.cancel()
    let play = await playing.value
    let sessions = try await station.stop()
    return try judge(kind, recoveries.sorted(), station, sessions, play)
  }

  private func judge(
    _ kind: FaultKind, _ recoveries: [Double], _ station: TrialStation, _ sessions: [String], _ play: TrialPlay,
  ) throws -> [String] {
    let p50 = recoveries[recoveries.count / 2]
    let p99 = recoveries[min(recoveries.count - 1, recoveries.count * 99 / 100)]
    let gaps = try GapCheck(
      station.database, session: sessions.first ?? "", play: play, slack: Int64(speed) * Self.scheduling)
    let row = [
      kind.rawValue.padding(to: 14), "\(times)".padding(to: 5), "\(p50.rounded(toPlaces: 1))".padding(to: 5),
      "\(p99.rounded(toPlaces: 1))".padding(to: 5), "\((recoveries.last ?? 0).rounded(toPlaces: 1))".padding(to: 5),
      "\(gaps.right)/\(gaps.expected)".padding(to: 10), "\(sessions.count)",
    ]
    print(row.joined(separator: "  "))
    var failures: [String] = []
    if p50 > kind.limits.p50 || p99 > kind.limits.p99 {
      failures.append("\(kind): recovery of \(p50) s (p50) and \(p99) s (p99) is above \(kind.limits)")
    }
    if gaps.right != gaps.expected {
      failures.append(
        "\(kind): \(gaps.expected - gaps.right) gaps are wrong (in µs): " + gaps.faults.joined(separator: "; "))
    }
    if sessions.count != 1 { failures.append("\(kind): \(sessions.count) sessions") }
    return failures
  }

  private func pass(_ seconds: Double, _ station: TrialStation) async throws {
    let due = station.time.now().monotonic.advanced(byMicroseconds: Int64(seconds * 1e6))
    try await station.time.sleep(until: due)
  }
}
