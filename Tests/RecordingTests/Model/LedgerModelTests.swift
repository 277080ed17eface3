import TachogramTestKit
import Testing

/// Random recordings on a disk that fails, held against what was told.
@Suite("Ledger against a model")
struct LedgerModelTests {
  @Test(arguments: CommandTrial<LedgerCommand>.seeds(6))
  func testRandomEvents_AreTheLedger(seeds: Range<UInt64>) async {
    let trial = CommandTrial(make: LedgerCommand.random, simpler: \.simpler, problem: LedgerTrial.problem)
    let failure = await trial.firstFailure(seeds: seeds, length: 120)
    #expect(failure == nil, "\(failure?.description ?? "")")
  }
}
