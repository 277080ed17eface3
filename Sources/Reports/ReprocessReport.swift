import Presentation
import TachogramCore

/// The changes from deriving a stored session again, for people and programs.
package struct ReprocessReport: Encodable, Sendable {
  /// The changes of rows of one kind.
  package struct Change: Encodable, Sendable {
    let before: Int
    let after: Int
    /// The number of rows that were added, removed or changed.
    let differing: Int

    fileprivate init(_ change: RederivedSession.Change) {
      (before, after, differing) = (change.before, change.after, change.differing)
    }

    fileprivate func words(_ name: String) -> String? {
      guard differing > 0 else { return nil }
      let count = before == after ? "\(after)" : "\(before) → \(after)"
      return "\(name) \(count) (\(differing) differ\(differing == 1 ? "s" : ""))"
    }
  }

  /// The mean of the stress levels, 0 … 100.
  package struct MeanStress: Encodable, Sendable {
    let before: Double?
    let after: Double?
  }

  package let session: String
  package let start: String
  package let isChanged: Bool
  package let beats: Change
  package let gaps: Change
  package let artifacts: Change
  package let windows: Change
  package let stress: Change
  package let meanStress: MeanStress
  /// A word for programs that states which rows were kept unchanged, or `nil` if none were.
  package let kept: String?
  private let keptWords: String?

  private enum CodingKeys: String, CodingKey {
    case session, start, beats, gaps, artifacts, windows, stress, meanStress, kept
    case isChanged = "changed"
  }

  package init(_ record: SessionRecord, _ change: RederivedSession) {
    session = record.description.id
    start = Timestamp.text(record.description.start)
    isChanged = change.isChanged
    (beats, gaps, artifacts) = (Change(change.beats), Change(change.gaps), Change(change.artifacts))
    (windows, stress) = (Change(change.windows), Change(change.stress))
    meanStress = MeanStress(before: change.meanStress.before, after: change.meanStress.after)
    kept = change.kept == .nothing ? nil : change.kept.rawValue
    keptWords = Self.words(change.kept)
  }

  /// A line of readable text, without a line end.
  package var text: String {
    var parts = [String(session.prefix(8)), start]
    if isChanged {
      var changes = [
        beats.words("beats"), gaps.words("gaps"), artifacts.words("artifacts"), windows.words("windows"),
        stress.words("stress levels"),
      ].compactMap(\.self)
      if let before = meanStress.before, let after = meanStress.after, stress.differing > 0 {
        changes.append("mean stress \(Wording.rounded(before)) → \(Wording.rounded(after))")
      }
      parts.append(changes.joined(separator: ", "))
    } else {
      parts.append("unchanged")
    }
    if let keptWords { parts.append(keptWords) }
    return parts.joined(separator: "  ")
  }

  private static func words(_ kept: RederivedSession.Kept) -> String? {
    switch kept {
    case .nothing: nil
    case .deletedWindows: "(its windows were deleted, and stay so)"
    case .absentStress: "(it has no stress levels, and gets none)"
    case .importedStress: "(its stress levels came from a file or another station, and stay)"
    }
  }
}
