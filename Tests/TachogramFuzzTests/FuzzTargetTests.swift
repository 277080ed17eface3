import TachogramFuzz
import TachogramTestKit
import Testing

/// Every target on its seeds, and on inputs made of them: what must hold does hold, without a fuzzer too.
struct FuzzTargetTests {
  /// Changed inputs of each target.
  private static let changed = 60

  @Test(arguments: FuzzTarget.allCases)
  func testSeeds_AreOfTheirKindAndHold(_ target: FuzzTarget) async throws {
    let seeds = try target.seeds(fixtures: FixtureLocator.folder())
    #expect(!seeds.isEmpty)
    #expect(Set(seeds.map(\.name)).count == seeds.count)
    for seed in seeds {
      #expect(seed.bytes.count <= target.longestInput, "\(seed.name)")
      #expect(try await target.run(seed.bytes), "\(seed.name)")
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func testChangedSeeds_Hold(_ target: FuzzTarget) async throws {
    let seeds = try target.seeds(fixtures: FixtureLocator.folder())
    var mutation = FuzzMutation(seeds, longest: target.longestInput, seed: 1)
    for number in 0..<Self.changed {
      let bytes = mutation.next()
      await #expect(throws: Never.self, "input \(number)") { try await target.run(bytes) }
    }
  }

  @Test func testSameSeed_MakesTheSameInputs() throws {
    let seeds = try FuzzTarget.rrText.seeds(fixtures: FixtureLocator.folder())
    var (one, other) = (FuzzMutation(seeds, longest: 100, seed: 7), FuzzMutation(seeds, longest: 100, seed: 7))
    let inputs = (0..<20).map { _ in one.next() }
    #expect(inputs == (0..<20).map { _ in other.next() })
    #expect(inputs.allSatisfy { $0.count <= 100 })
    #expect(Set(inputs).count > 10)
  }
}
