import StressKit

/// The changes made by deriving a stored session again.
package struct RederivedSession: Sendable {
  /// The reason why derived rows are kept instead of being derived again.
  package enum Kept: String, Sendable {
    /// All rows are derived again.
    case nothing
    /// The session has beats but no windows: the windows were deleted. The windows and the stress levels are left as they are.
    case deletedWindows
    /// The session has windows but no stress levels. It is not known whether the levels were deleted or never existed.
    case absentStress
    /// The stress levels were computed elsewhere and imported from a file.
    case importedStress

    package var keepsWindows: Bool { self == .deletedWindows }
    package var keepsStress: Bool { self != .nothing }

    /// Returns what is kept if the stress levels are kept in any case, as where other stations have them.
    package func keepingStress(_ isKept: Bool) -> Kept { isKept && self == .nothing ? .importedStress : self }
  }

  /// The change of the rows of one kind.
  package struct Change: Hashable, Sendable {
    package let before: Int
    package let after: Int
    /// The number of rows that were added, removed or changed.
    package let differing: Int

    package init(before: Int, after: Int, differing: Int) {
      (self.before, self.after, self.differing) = (before, after, differing)
    }
  }

  package let kept: Kept
  package let beats: Change
  package let gaps: Change
  package let artifacts: Change
  package let windows: Change
  package let stress: Change
  /// The mean of the stress levels, 0 … 100, or `nil` if there are no levels.
  package let meanStress: (before: Double?, after: Double?)

  /// Compares the stored rows before and after.
  package init(before: SessionBatch, after: SessionBatch, kept: Kept) {
    self.kept = kept
    beats = Self.change(before.beats, after.beats, \.sequence)
    gaps = Self.change(before.gaps, after.gaps, \.sequence)
    artifacts = Self.change(before.artifacts, after.artifacts, \.beat)
    windows = Self.change(before.windows, after.windows) { [Int64($0.length.seconds), $0.end.microseconds] }
    stress = Self.change(before.stress, after.stress, \.id)
    meanStress = (Self.mean(before.stress), Self.mean(after.stress))
  }

  /// Whether any row was added, removed or changed.
  package var isChanged: Bool { [beats, gaps, artifacts, windows, stress].contains { $0.differing > 0 } }

  private static func change<Row: Equatable>(
    _ before: [Row], _ after: [Row], _ key: (Row) -> some Hashable
  ) -> Change {
    var old = Dictionary(before.map { (key($0), $0) }, uniquingKeysWith: { $1 })
    var differing = 0
    for row in after where old.removeValue(forKey: key(row)) != row { differing += 1 }
    return Change(before: before.count, after: after.count, differing: differing + old.count)
  }

  private static func mean(_ levels: [StressMeasurement]) -> Double? {
    levels.isEmpty ? nil : levels.map(\.stressLevel).reduce(0, +) / Double(levels.count)
  }
}
