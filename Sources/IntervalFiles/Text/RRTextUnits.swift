import TachogramCore

/// Determines the unit of the values of a text from their notation and size, and checks that all values are in this unit.
///
/// Two units differ by a factor of 1000, and intervals by a factor of at most 3 from the median of their series. A value that
/// fits the other intervals in a different unit is therefore unlikely to be an error in its own: if there are several such
/// values, or a few in a row, the series is in two units.
struct RRTextUnits {
  /// A value and its line.
  struct Value {
    var line: Int
    var value: Double
  }

  /// The unit in which a value is an interval.
  private struct Reading {
    var line: Int
    var unit: RRValueUnit
    var isWhole: Bool
    var milliseconds: Double

    /// Whether the value is more likely an error if most values are in `main`: 1 or 2 among milliseconds are hardly seconds.
    func isOutlier(in main: RRValueUnit) -> Bool { main != .seconds && unit == .seconds && isWhole }
  }

  /// The range of ratios to the median within which an interval is similar to the others.
  private static let alike = 0.5...2.0
  /// The number of values in a row that count as a second unit. Otherwise, at least `some` values with a share of `someShare`
  /// do, or `few` values with a share of `fewShare`.
  private static let row = 4
  private static let (some, someShare) = (3, 0.005)
  private static let (few, fewShare) = (2, 0.25)

  private let values: [Value]

  init(_ values: [Value]) {
    self.values = values.filter { $0.value > 0 }
  }

  /// Returns the unit. Throws an error if the values cannot be intervals in the unit of the headings or in any unit, or are in
  /// two units.
  func unit(_ layout: RRTextLayout) throws(RRSeriesRefusal) -> RRTextDialect.Unit {
    if let mixture = mixture() { throw mixture }
    guard let median = RRTextPlainSearch.median(values.map(\.value)) else { return layout.unit ?? .milliseconds }
    let plausible = RRTextPlainSearch.plausible
    if let unit = layout.unit {
      guard plausible.contains(median * unit.scale) else {
        throw .contradictoryUnit(
          line: layout.start + 1, name: layout.heading?.name ?? "", unit: unit, median: median)
      }
      return unit
    }
    if plausible.contains(median) { return .milliseconds }
    if plausible.contains(median * 1000) { return .seconds }
    throw .implausible(line: layout.start + 1, median: median)
  }

  // MARK: - Two units

  /// Returns the refusal of values in two units, with the line from which the unit differs.
  private func mixture() -> RRSeriesRefusal? {
    let readings = values.compactMap(Self.reading)
    guard let middle = RRTextPlainSearch.median(readings.map(\.milliseconds)) else { return nil }
    let alike = readings.filter { Self.alike.contains($0.milliseconds / middle) }
    // Increasing numbers, such as times of beats, resemble intervals for a while.
    guard 2 * alike.count >= values.count else { return nil }
    let main = RRValueUnit.allCases.max { one, other in
      alike.count { $0.unit == one } < alike.count { $0.unit == other }
    }
    guard let main, alike.contains(where: { $0.unit != main }) else { return nil }
    let isSecond = { unit in unit != main && isPart(alike.filter { !$0.isOutlier(in: main) }, in: unit) }
    let units = RRValueUnit.allCases.filter { $0 == main || isSecond($0) }
    guard units.count > 1 else { return nil }
    let counted = alike.filter { units.contains($0.unit) && !$0.isOutlier(in: main) }
    guard let change = zip(counted, counted.dropFirst()).first(where: { $0.unit != $1.unit }) else { return nil }
    return .mixedUnits(line: change.1.line, before: change.0.unit, behind: change.1.unit)
  }

  private static func reading(_ value: Value) -> Reading? {
    let unit = RRValueUnit.allCases.first { RRTextPlainSearch.plausible.contains(value.value * $0.scale) }
    return unit.map {
      Reading(
        line: value.line, unit: $0, isWhole: value.value == value.value.rounded(), milliseconds: value.value * $0.scale)
    }
  }

  /// Whether enough readings are in a unit that they are not outliers in another one.
  private func isPart(_ readings: [Reading], in unit: RRValueUnit) -> Bool {
    var (count, inRow, longest) = (0, 0, 0)
    var different: Set<Double> = []
    for reading in readings {
      inRow = reading.unit == unit ? inRow + 1 : 0
      longest = max(longest, inRow)
      guard reading.unit == unit else { continue }
      count += 1
      if different.count < 2 { different.insert(reading.milliseconds) }
    }
    let share = Double(count) / Double(values.count)
    let isSome = count >= Self.some && share >= Self.someShare || count >= Self.few && share >= Self.fewShare
    return different.count > 1 && (longest >= Self.row || isSome)
  }
}
