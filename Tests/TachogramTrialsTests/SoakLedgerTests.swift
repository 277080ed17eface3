import Testing

@testable import tachogram_trials

/// What a soak finds wrong with a ledger.
struct SoakLedgerTests {
  /// Ten that are due, but for two in an outage, one of which nobody was told of.
  private static let fates: [SoakStrap.Fate] = [
    .due, .due, .due, .told, .untold, .due, .due, .due, .due, .due,
  ]

  private static func values(_ numbers: [Int]) -> [[UInt8]] { numbers.map { SoakStrap.value($0, of: 0) } }

  private static func findings(_ values: [[UInt8]]) -> SoakLedger.Findings {
    SoakLedger(ordinal: 0, fates: fates).check(values)
  }

  @Test func testWhole_IsRight() {
    let findings = Self.findings(Self.values([0, 1, 2, 3, 5, 6, 7, 8, 9]))
    #expect(findings == SoakLedger.Findings(sent: 10, told: 9, stored: 9))
  }

  @Test func testLostInAnOutage_IsNotDue() {
    let findings = Self.findings(Self.values([0, 1, 2, 5, 6, 7, 8, 9]))
    #expect(findings.lost == 0)
    #expect(findings.lostInOutages == 1)
    #expect(findings.wrong == 0)
  }

  @Test func testLostOutsideOutages_IsSeen() {
    #expect(Self.findings(Self.values([0, 1, 3, 5, 6, 7, 8])).lost == 2)
  }

  @Test(arguments: [[0, 1, 1, 2], [0, 2, 1], [0, 4], [0, 10]])
  func testTwiceOrInAnotherOrderOrNeverTold_IsWrong(numbers: [Int]) {
    #expect(Self.findings(Self.values(numbers)).wrong == 1)
  }

  @Test func testOtherBytes_AreWrong() {
    var values = Self.values([0, 1])
    values[1][1] ^= 1
    #expect(Self.findings(values).wrong == 1)
    #expect(Self.findings([[0]]).wrong == 1)
    // Another strap's.
    #expect(Self.findings([SoakStrap.value(1, of: 1)]).wrong == 1)
  }

  @Test func testBeats_AreAsLongAsTheirTime() {
    let ticks = (0..<3600).reduce(0) { sum, number in
      let value = SoakStrap.value(number, of: 2)
      return sum + Int(value[4]) + Int(value[5]) << 8
    }
    #expect(abs(ticks - 3600 * 1024) <= 60)
  }

  @Test func testSlope_IsThatOfTheLine() {
    #expect(SoakReport.slope([5]) == 0)
    #expect(SoakReport.slope([3, 3, 3]) == 0)
    #expect(abs(SoakReport.slope([1, 3, 5, 7]) - 2) < 1e-12)
    #expect(abs(SoakReport.slope([7, 0, 7, 0]) + 1.4) < 1e-12)
  }
}
