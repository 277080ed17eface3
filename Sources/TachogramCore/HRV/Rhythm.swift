/// The kind of rhythm of a stretch of intervals. Only the variability of a plausible rhythm is a measure of autonomic activity.
package enum Rhythm: Hashable, Sendable {
  /// A rhythm as of a heart in sinus rhythm.
  case plausible
  /// A rhythm without the order of a sinus rhythm, as in atrial fibrillation.
  case irregular
  /// The intervals repeat themselves, as those of a pacemaker at a fixed rate.
  case repeated
}
