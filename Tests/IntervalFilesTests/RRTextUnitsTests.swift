import IntervalFiles
import TachogramTestKit
import Testing

/// One series in two units is refused by name; a few values that are wrong are not a second unit.
struct RRTextUnitsTests {
  /// How a text of the intervals is laid out.
  enum Layout: CaseIterable, Sendable {
    case plain, headed, unit, timed, table

    func text(_ values: [String], times: [Double]) -> String {
      switch self {
      case .plain: values.joined(separator: "\n")
      case .headed: "RR\n" + values.joined(separator: "\n")
      case .unit: "RR [\(Double(values[0]) ?? 0 < 10 ? "s" : "ms")]\n" + values.joined(separator: "\n")
      case .timed: zip(times, values).map { "\($0),\($1)\n" }.joined()
      case .table: "Time;HR;RR\n" + zip(times, values).map { "\($0);70;\($1)\n" }.joined()
      }
    }

    /// The line of the first value.
    var first: Int {
      switch self {
      case .plain, .timed: 1
      default: 2
      }
    }
  }

  private static let units: [(name: String, scale: Double)] = [("s", 0.001), ("ms", 1), ("µs", 1000)]

  private func refusal(_ text: String) throws -> RRSeriesRefusal? {
    do {
      _ = try MemoryFile.withPath(Array(text.utf8)) { try RRSeriesReader(path: $0).read() }
      return nil
    } catch RRSeriesError.noSeries(_, let refusal) {
      return refusal
    }
  }

  private static func intervals(_ count: Int, seed: UInt64) -> (values: [Double], times: [Double]) {
    var random = SplitMix64(seed: seed)
    let values = (0..<count).map { _ in Double(Int.random(in: 650...1100, using: &random)) }
    var times: [Double] = []
    for value in values { times.append((times.last ?? 0) + value / 1000) }
    return (values, times)
  }

  private func write(_ value: Double, _ unit: Int) -> String {
    unit == 0 ? "\(value / 1000)" : "\(Int(value * Self.units[unit].scale))"
  }

  @Test(arguments: Layout.allCases, [(0, 1), (1, 0), (1, 2), (0, 2)])
  func testTwoBlocks_AreRefusedWithTheLineOfTheSecond(layout: Layout, units: (Int, Int)) throws {
    for (count, second) in [(400, 200), (400, 20), (1500, 5), (30, 4), (4, 2)] {
      let (values, times) = Self.intervals(count, seed: UInt64(count))
      let first = count - second
      let texts = values.enumerated().map { write($1, $0 < first ? units.0 : units.1) }
      #expect(
        try refusal(layout.text(texts, times: times))
          == .mixedUnits(
            line: layout.first + first, before: Self.unit(units.0), behind: Self.unit(units.1)), "\(count), \(second)")
    }
  }

  @Test(arguments: Layout.allCases, [(0, 1), (1, 0), (1, 2)])
  func testUnitsInTurn_AreRefused(layout: Layout, units: (Int, Int)) throws {
    let (values, times) = Self.intervals(300, seed: 3)
    for every in [2, 3, 10, 19] {
      let texts = values.enumerated().map { write($1, $0 % every == every - 1 ? units.1 : units.0) }
      #expect(
        try refusal(layout.text(texts, times: times))
          == .mixedUnits(
            line: layout.first + every - 1, before: Self.unit(units.0), behind: Self.unit(units.1)), "\(every)")
    }
  }

  private static func unit(_ number: Int) -> RRValueUnit { [.seconds, .milliseconds, .microseconds][number] }

  /// What straps and loggers put among intervals now and then, also in a row.
  @Test(arguments: [
    ["0"], ["1"], ["2"], ["1", "2"], ["5"], ["65535"], ["0.9766"], ["12.5", "0", "-3"], ["20000"], ["3500"],
  ])
  func testOutliersAmongMilliseconds_AreNoSecondUnit(_ outliers: [String]) throws {
    let (values, _) = Self.intervals(300, seed: 5)
    for every in [5, 20, 100] {
      let texts = values.enumerated().map { $0 % every == 3 ? outliers[$0 / every % outliers.count] : "\($1)" }
      #expect(try refusal(texts.joined(separator: "\n")) == nil, "\(every)")
    }
    let block = values.enumerated().map { 100..<120 ~= $0 ? outliers[$0 % outliers.count] : "\($1)" }
    #expect(try refusal(block.joined(separator: "\n")) == nil)
  }

  @Test(arguments: ["0", "12.5", "60", "400", "3.9", "0.05"])
  func testOutliersAmongSeconds_AreNoSecondUnit(_ outlier: String) throws {
    let (values, _) = Self.intervals(300, seed: 6)
    let texts = values.enumerated().map { $0 % 50 == 3 ? outlier : "\($1 / 1000)" }
    #expect(try refusal(texts.joined(separator: "\n")) == nil)
  }

  /// Beat times and other numbers that grow are no mixture.
  @Test func testTimesOfBeats_AreRefusedAsNoIntervals() throws {
    let (_, times) = Self.intervals(20_000, seed: 7)
    guard case .implausible = try refusal(times.map { "\($0)" }.joined(separator: "\n")) else {
      Issue.record("\(String(describing: try refusal(times.map { "\($0)" }.joined(separator: "\n"))))")
      return
    }
  }
}
