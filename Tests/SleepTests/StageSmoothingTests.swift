import Sleep
import Testing

struct StageSmoothingTests {
  @Test(arguments: [
    (["5 light", "1 wake", "5 light"], 2, ["11 light"]),
    (["5 light", "1 wake", "5 deep"], 2, ["5 light", "1 wake", "5 deep"]),
    (["5 light", "2 wake", "5 light"], 2, ["5 light", "2 wake", "5 light"]),
    (["5 light", "2 wake", "5 light"], 3, ["12 light"]),
    (["1 wake", "5 light", "1 wake"], 5, ["1 wake", "5 light", "1 wake"]),
    (["1 wake", "5 light", "1 wake"], 6, ["7 wake"]),
    (["4 light", "1 deep", "1 wake", "4 light"], 9, ["4 light", "1 deep", "1 wake", "4 light"]),
    (["4 light", "2 deep", "1 wake", "1 deep", "4 light"], 5, ["12 light"]),
    (["3 light", "1 unknown", "3 light"], 9, ["3 light", "1 unknown", "3 light"]),
    (["3 unknown", "1 light", "3 unknown"], 9, ["3 unknown", "1 light", "3 unknown"]),
    (["3 light", "1 wake", "3 light"], 0, ["3 light", "1 wake", "3 light"]),
    ([], 5, []),
  ])
  func testShortRuns_BecomeTheirSurroundings(before: [String], minimum: Int, after: [String]) throws {
    let smoothed = StageSmoothing.smoothed(try stageRuns(before), minimum: minimum)
    #expect(smoothed == (try stageRuns(after)))
  }
}
