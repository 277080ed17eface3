import TachogramTestKit
import Testing

/// Random lives of a database, held against a model after every step.
@Suite("Repository against a model")
struct RepositoryModelTests {
  @Test(arguments: CommandTrial<RepositoryCommand>.seeds(6))
  func testRandomCommands_LeaveWhatTheModelHolds(seeds: Range<UInt64>) async {
    let trial = CommandTrial(
      make: RepositoryCommand.random, simpler: \.simpler, problem: RepositoryTrial.problem)
    let failure = await trial.firstFailure(seeds: seeds, length: 30)
    #expect(failure == nil, "\(failure?.description ?? "")")
  }
}
