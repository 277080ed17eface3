import TachogramCore

/// The use of the notifications in a stretch.
enum StretchUse: Hashable, Sendable {
  /// They are heart rate.
  case heartRate(HandleSource)
  /// They may be heart rate, and are not used.
  case leftOut(LeftOutReason)
  /// They are something else.
  case other
  /// Their meaning is unknown.
  case unidentified
}
