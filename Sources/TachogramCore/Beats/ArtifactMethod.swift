/// A method that detects and corrects artifacts in a series of intervals. docs/metrics.md compares the methods.
public enum ArtifactMethod: String, CaseIterable, Sendable {
  /// Searches, beat by beat, for the repair that makes the series smooth again. The default.
  case segments
  /// The rule that Lipponen & Tarvainen published (2019, J Med Eng Technol 43(3):173–181), in a single pass.
  case lipponenTarvainen = "lipponen-tarvainen"
  /// Treats an interval as an artifact if it differs by more than 20 % from its predecessor.
  case malik
  /// Treats an interval as an artifact if it differs by more than 20 % from the mean of its predecessor and its successor.
  case karlsson
  /// Detects and corrects nothing.
  case none
}
