/// The relation between two recordings that have a stretch of beats in common.
package enum RecordingOverlap: Sendable {
  /// Copies of one recording: neither has beats that the other lacks, except for a few that a format could not represent, and
  /// single beats that were edited.
  case same
  /// The first is a part of the second.
  case part
  /// The first contains the second and more.
  case whole
  /// Both have beats that the other lacks.
  case partial

  /// The least ratio of matched to edited beats in a copy: at most a fifth of all beats is edited.
  private static let edited = 4
  /// The number of beats that a copy may lack without being a part, and the divisor of its number of beats that allows more of
  /// them.
  private static let (fewest, share) = (3, 50)

  /// Returns `nil` if the recordings are not copies: too few beats agree.
  package init?(_ alignment: BeatAlignment) {
    let shorter = alignment.matched + min(alignment.onlyFirst, alignment.onlySecond)
    guard alignment.matched >= min(shorter, 16) else { return nil }
    // An edited version of a recording counts as the same recording, whatever was corrected; the differing beats are still
    // counted.
    let isEdition = max(alignment.editedFirst, alignment.editedSecond) <= alignment.matched / Self.edited
    let (editedFirst, editedSecond) = isEdition ? (alignment.editedFirst, alignment.editedSecond) : (0, 0)
    func isFew(_ count: Int) -> Bool { count <= max(Self.fewest, alignment.matched / Self.share) }
    self =
      switch (isFew(alignment.onlyFirst - editedFirst), isFew(alignment.onlySecond - editedSecond)) {
      case (true, true): .same
      case (true, false): .part
      case (false, true): .whole
      case (false, false): .partial
      }
  }
}
