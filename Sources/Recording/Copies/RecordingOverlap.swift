/// What two recordings of which a stretch has the same beats are to each other.
package enum RecordingOverlap: Sendable {
  /// Copies of one recording: neither has beats that the other lacks, but for a few that a format could not hold,
  /// and single ones that somebody edited.
  case same
  /// The first is a part of the second.
  case part
  /// The first holds the second and more.
  case whole
  /// Both have beats that the other lacks.
  case partial

  /// Of the beats that agree, one in so many may be edited in a copy: a fifth of all.
  private static let edited = 4
  /// Beats that a copy may lack without being a part, and the share of its beats, of which one in so many.
  private static let (fewest, share) = (3, 50)

  /// `nil` where the two are no copies: too few beats agree.
  package init?(_ alignment: BeatAlignment) {
    let shorter = alignment.matched + min(alignment.onlyFirst, alignment.onlySecond)
    guard alignment.matched >= min(shorter, 16) else { return nil }
    // An edition of a recording is the recording, whatever was corrected in it; the beats that differ are still counted.
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
