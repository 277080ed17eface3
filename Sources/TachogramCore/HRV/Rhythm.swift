/// Whether the rhythm of a stretch of intervals is a measure of autonomic activity, and what it is where it is none.
package enum Rhythm: Hashable, Sendable {
  /// As of a heart in sinus rhythm.
  case plausible
  /// Without the order of a sinus rhythm, as in atrial fibrillation.
  case irregular
  /// The intervals repeat themselves, as those of a pacemaker at a fixed rate.
  case repeated
}
