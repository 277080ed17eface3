import Foundation
import Station
import TachogramFuzz
import TachogramTestKit
import Testing

/// Configuration files that are changed at random: they are read, or what is wrong with them is told by line.
struct MutatedConfigurationTests {
  private static let seeds = [
    "http:\n  port: 1111\n  names: [pi.local, heart]\nsession:\n  endAfter: 5m\n  commitInterval: 2s\n",
    "# all\ndatabase: \"/tmp/x y.sqlite\"\ntimeZone: Europe/Berlin\nlogLevel: debug\nradio:\n  straps:\n    - H10\n"
      + "    - C8:DE:AD:BE:EF:01\n  adapter: 00:11:22:33:44:55\n  passkey: 000123\n",
    "retention: {sessions: 365d, windows: forever}\nalerts:\n  hook: |\n    /bin/true\n  stressMinutes: 0x10\n",
    "base: &base\n  port: 1\nhttp:\n  <<: *base\n  host: ::1\n---\nsecond: document\n",
    "snapshots:\n  every: 1h\n  keep: ~\ndisk:\n  lowMegabytes: 1_000\n? key\n: value\n",
  ].enumerated().map { FuzzSeed(name: "\($0)", bytes: Array($1.utf8)) }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func testChangedFiles_AreReadOrToldWhatIsWrong(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("config.yaml")
    var mutation = FuzzMutation(Self.seeds, longest: 1024, seed: seed)
    for _ in 0..<50 {
      let bytes = mutation.next()
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let loader = ConfigurationLoader(file: path, environment: [:])
      do {
        let configuration = try await loader.load()
        #expect((0...65_535).contains(configuration.http.port))
        #expect(configuration.session.endAfter.seconds > 0)
      } catch let problems as ConfigurationLoader.Problems {
        #expect(!problems.lines.isEmpty && problems.lines.allSatisfy { !$0.isEmpty }, "\(bytes)")
      }
    }
    withExtendedLifetime(folder) {}
  }
}
