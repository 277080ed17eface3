import StressKit

/// What deriving a stored session again changed.
package struct RederivedSession: Sendable {
  /// Why rows that could be derived are not.
  package enum Kept: String, Sendable {
    /// All are derived.
    case nothing
    /// The session has beats and no windows, so those were deleted, and so they and the stress levels stay as they are.
    case deletedWindows
    /// The session has windows and no stress level. Nobody knows whether those were deleted or never were.
    case absentStress
    /// The stress levels were computed elsewhere and came from a file.
    case importedStress

    package var keepsWindows: Bool { self == .deletedWindows }
    package var keepsStress: Bool { self != .nothing }
  }

  /// How rows of one kind changed.
  package struct Change: Hashable, Sendable {
    package let before: Int
    package let after: Int
    /// Rows that came, went, or are other.
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
  /// The mean of the stress levels, 0 … 100; `nil` without levels.
  package let meanStress: (before: Double?, after: Double?)

  /// `before` and `after` are rows as they are stored.
  package init(before: SessionBatch, after: SessionBatch, kept: Kept) {
    self.kept = kept
    beats = Self.change(before.beats, after.beats, \.sequence)
    gaps = Self.change(before.gaps, after.gaps, \.sequence)
    artifacts = Self.change(before.artifacts, after.artifacts, \.beat)
    windows = Self.change(before.windows, after.windows) { [Int64($0.length.seconds), $0.end.microseconds] }
    stress = Self.change(before.stress, after.stress, \.id)
    meanStress = (Self.mean(before.stress), Self.mean(after.stress))
  }

  /// Whether any row is other than before.
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
