import ArgumentParser
import FakeBlueZ
import Foundation
import Repository
import TachogramCore
import TachogramTestKit

/// A trial of weeks with random faults: nothing is lost outside the faults, and memory, descriptors and threads do not grow.
struct SoakTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Days of several straps in accelerated time, with faults at random.",
    discussion: """
      Each day every strap is put on in the morning and taken off hours later; the night ends its session. While all is \
      well, time passes as fast as the recorder takes what the straps send; from a fault until data flows again it passes \
      20 times as fast as real time.
      """)

  @Option(help: "Days.") var days = 30
  @Option(help: "Straps.") var straps = 4
  @Option(help: "Hours a day that each strap is worn.") var hours = 8
  @Option(help: "Faults a day.") var faults = 24
  @Option(help: "Days that sessions are kept.") var keep = 14
  @Option(help: "Seed of all that is random; by default another one each time.") var seed: UInt64?

  func validate() throws {
    guard days > 0, (1...32).contains(straps), (1...16).contains(hours), faults >= 0, keep > 0 else {
      throw ValidationError("days and --keep are above 0, straps 1 to 32, hours 1 to 16, faults 0 or more.")
    }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 0...UInt64.max)
    let wear =
      "\(straps) straps, \(days) days, \(hours) h a day, \(faults) faults a day, sessions kept for \(keep) days"
    Self.say("seed \(seed): \(wear)")
    let clock = ContinuousClock()
    let start = clock.now
    let all = (1...straps).map { number in
      var strap = FakeStrap(number: UInt8(number))
      // Every second strap requires a bond, which it can lose.
      strap.requiresBond = number.isMultiple(of: 2)
      return strap
    }
    let station = try await SoakStation(straps: all)
    let maintenance = try SoakMaintenance(station: station, keep: keep)
    var random = SplitMix64(seed: seed)
    var report = SoakReport(keep: keep)
    Self.say(SoakReport.head)
    for number in 0..<days {
      var day = SoakDay(
        number: number, hours: hours, faults: faults, straps: all, station: station, maintenance: maintenance,
        random: random)
      let dayReport = try await day.run()
      random = day.random
      report.append(dayReport)
      Self.say(dayReport.line(after: clock.now - start))
    }
    let open = try await station.stop()
    report.finish(openSessions: open, findings: try station.database.checkIntegrity(), feed: station.feed.counts)
    try station.database.close()
    Self.say(report.summary(took: clock.now - start))
    let failures = report.failures(straps: straps)
    if !failures.isEmpty { throw TrialFailure("seed \(seed):\n" + failures.joined(separator: "\n")) }
  }

  /// Writes a line without buffering, because a long trial is watched, also through a pipe.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
