import TachogramTestKit
import Testing

/// Random lives of a link, in a world that answers, held against what is promised of a link.
@Suite("Link against a model")
struct LinkModelTests {
  @Test(arguments: CommandTrial<LinkCommand>.seeds(200), [false, true])
  func testRandomLives_KeepThePromises(seeds: Range<UInt64>, wantsBond: Bool) async {
    let trial = CommandTrial(make: LinkCommand.random, simpler: \.simpler) { commands in
      LinkWorld.problem(commands, wantsBond: wantsBond)
    }
    let failure = await trial.firstFailure(seeds: seeds, length: 80)
    #expect(failure == nil, "\(failure?.description ?? "")")
  }
}
