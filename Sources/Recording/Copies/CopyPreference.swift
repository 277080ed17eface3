/// Which of two recordings with common beats is kept, so that the remaining sessions do not depend on the order of the imports.
///
/// A recording is replaced by one that contains it and is at least as precise. If each contains the other, except for a few
/// beats, the recording with the greater rank is kept: precision, then beats, then known gaps, then the identifier, so that
/// ranks are never equal.
package enum CopyPreference: Hashable, Sendable {
  case first
  case second
  /// Both are kept, since deleting either would lose beats or the precision of beats.
  case both

  package init(_ first: RecordingContent, _ second: RecordingContent, _ overlap: RecordingOverlap) {
    self =
      switch overlap {
      case .same: first.rank > second.rank ? .first : .second
      case .part: second.precision >= first.precision ? .second : .both
      case .whole: first.precision >= second.precision ? .first : .both
      case .partial: .both
      }
  }
}
