import Foundation
import TachogramCore
import Testing

/// A log is read by others, and a graph of machines as well: neither tells whose strap it is, or how a heart beats.
@Suite("What a station tells of hearts")
struct StationPrivacyTests {
  /// All ways to write an address, the name of a strap, what its wearer calls it, and what it said.
  private static let secrets: [String] = {
    let addresses = [StationDay.named, StationDay.nameless].flatMap { address in
      ["", ":", "-", "_", "%3a"].map { address.description.lowercased().replacingOccurrences(of: ":", with: $0) }
    }
    let interval = String(Double(StationDay.ticks) * 1000 / 1024).prefix(5)
    return addresses + [StationDay.advertised.lowercased(), StationDay.given.lowercased(), String(interval)]
  }()

  /// Numbers, where they stand alone.
  private static let numbers = ["\(StationDay.heartRate)", "\(StationDay.ticks)"]

  private static func isTold(in line: String) -> String? {
    let line = line.lowercased()
    let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return secrets.first { line.contains($0) } ?? numbers.first { words.contains($0) }
  }

  @Test(.timeLimit(.minutes(5)))
  func testWholeDay_IsInNoLogAndNoMetric() async throws {
    let day = try await StationDay()
    let (lines, metrics) = try await day.run()
    for line in lines {
      #expect(Self.isTold(in: line) == nil, "\(line)")
      #expect(!line.contains("Stress"), "\(line)")
    }
    // What can be logged was: each of these is a place where something could have slipped in.
    for words in [
      "alert", "the alert hook could not be run", "notifications cannot be stored", "maintenance failed",
      "a request failed",
      "a wrong token was refused", "receiving data from the strap", "there is no Bluetooth",
    ] {
      #expect(lines.contains { $0.contains(words) }, "\(words)")
    }
    #expect(metrics.contains("tachogram_strap_notifications_total{strap=\"1\"}"))
    for line in metrics.split(separator: "\n") { #expect(Self.isTold(in: String(line)) == nil, "\(line)") }
  }

  @Test(arguments: [
    "strap C8:DE:AD:BE:EF:17", "dev_D4_A1_B2_C3_E5_29", "heart rate 143", "rr=431", "420.8984375 ms", "secret strap",
  ])
  func testSecret_IsSeenByThisTest(line: String) {
    #expect(Self.isTold(in: line) != nil)
  }
}
