/// What an RR interval turned out to be when its neighbours were known (Lipponen & Tarvainen 2019, J Med Eng Technol
/// 43(3):173–181, for the words).
public enum BeatClass: String, Hashable, Sendable, CaseIterable {
  /// An interval between two beats of the sinus rhythm.
  case normal
  /// One of two intervals around a beat that came early, or late, by which one is too short and the other too long.
  case ectopic
  /// An interval in which one or more beats were not detected.
  case missed
  /// One of two intervals that a detection between two beats made of one.
  case extra
  /// Too long or too short, and none of the above; also a gap, which an interval above 3 s is.
  case longShort
}
