/// A sleep stage of an epoch, as far as it is known.
package enum SleepStage: String, Hashable, Sendable, CaseIterable {
  case wake
  /// N1 or N2.
  case light
  /// N3.
  case deep
  case rem
  /// N1, N2 or N3: asleep, not in REM sleep, and the depth is unknown.
  case nrem
  /// Asleep; the stage is unknown.
  case asleep
  /// There are too few data to tell even that.
  case unknown

  /// Whether the person is asleep in this stage.
  package var isSleep: Bool {
    switch self {
    case .light, .deep, .rem, .nrem, .asleep: true
    case .wake, .unknown: false
    }
  }
}
