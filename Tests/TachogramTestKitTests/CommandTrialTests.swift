import TachogramTestKit
import Testing

@Suite("Random commands")
struct CommandTrialTests {
  private static func number(_ random: inout SplitMix64) -> Int { Int.random(in: 0..<100, using: &random) }

  @Test func testSequencesThatHold_FailNothing() async {
    let trial = CommandTrial<Int>(make: Self.number) { numbers in numbers.count == 50 ? nil : "\(numbers.count)" }
    #expect(await trial.firstFailure(seeds: 0..<20, length: 50) == nil)
  }

  /// Of 200 commands the two that matter are left, each as simple as it can be.
  @Test func testFailure_IsMadeSmall() async throws {
    let trial = CommandTrial<Int>(make: Self.number, simpler: { $0 > 0 ? [0, $0 / 2, $0 - 1] : [] }) { numbers in
      let first = numbers.firstIndex { $0 >= 70 }
      let last = numbers.lastIndex { $0 < 10 }
      guard let first, let last, first < last else { return nil }
      return "a low number behind a high one"
    }
    let failure = try #require(await trial.firstFailure(seeds: 0..<20, length: 200))
    #expect(failure.commands == [70, 0])
    #expect(failure.seed == 0)
    #expect(failure.description == "seed 0: a low number behind a high one\n  70\n  0")
  }

  @Test func testError_IsAFailure() async throws {
    struct Broken: Error {}
    let trial = CommandTrial<Int>(make: Self.number) { numbers in
      if numbers.count > 3 { throw Broken() }
      return nil
    }
    let failure = try #require(await trial.firstFailure(seeds: [7], length: 30))
    #expect(failure.commands.count == 4)
    #expect(failure.problem == "Broken()")
  }

  @Test func testSameSeed_GivesTheSameFailure() async throws {
    let trial = CommandTrial<Int>(make: Self.number) { numbers in numbers.contains(42) ? "found" : nil }
    let one = try #require(await trial.firstFailure(seeds: 3..<400, length: 20))
    let other = try #require(await trial.firstFailure(seeds: 3..<400, length: 20))
    #expect(one.seed == other.seed)
    #expect(one.commands == [42])
    #expect(other.commands == [42])
  }
}
