/// The class of an RR interval, decided once its neighbours are known. The terms are those of Lipponen & Tarvainen (2019, J Med
/// Eng Technol 43(3):173–181).
public enum BeatClass: String, Hashable, Sendable, CaseIterable {
  /// An interval between two beats of the sinus rhythm.
  case normal
  /// One of the two intervals around an early or late beat, which makes one of them too short and the other too long.
  case ectopic
  /// An interval in which one or more beats were not detected.
  case missed
  /// One of the two intervals into which a false detection between two beats divides an interval.
  case extra
  /// Too long or too short, and not of any class above. Includes gaps, which are intervals above 3 s.
  case longShort
}
