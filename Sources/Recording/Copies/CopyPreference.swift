/// Which of two recordings with beats in common is kept, so that the sessions that are left do not depend on the order in
/// which recordings come.
///
/// A recording gives way to one that holds it and is at least as precise. Where each holds the other, but for a few beats,
/// the greater rank is kept: precision, then beats, then gaps that are known, then the identifier, so that two never tie.
package enum CopyPreference: Hashable, Sendable {
  case first
  case second
  /// Either would lose something without the other: beats, or the precision of beats.
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
