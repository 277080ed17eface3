/// How artifacts are found in a series of intervals, and mended. docs/metrics.md compares them.
public enum ArtifactMethod: String, CaseIterable, Sendable {
  /// By the repair that makes the series smooth again, beat by beat; the default.
  case segments
  /// The rule that Lipponen & Tarvainen published (2019, J Med Eng Technol 43(3):173–181), in a single pass.
  case lipponenTarvainen = "lipponen-tarvainen"
  /// An interval that differs by more than 20 % from the one before it.
  case malik
  /// An interval that differs by more than 20 % from the mean of the one before and the one behind it.
  case karlsson
  /// Nothing is found and nothing mended.
  case none
}
