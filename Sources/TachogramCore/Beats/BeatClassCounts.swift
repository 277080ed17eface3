/// The number of RR intervals of each class in a series.
public struct BeatClassCounts: Hashable, Sendable {
  private var counts: (normal: Int, ectopic: Int, missed: Int, extra: Int, longShort: Int) = (0, 0, 0, 0, 0)

  /// Creates counts of zero.
  public init() {}

  /// The number of intervals of a class.
  public subscript(beatClass: BeatClass) -> Int {
    get {
      switch beatClass {
      case .normal: counts.normal
      case .ectopic: counts.ectopic
      case .missed: counts.missed
      case .extra: counts.extra
      case .longShort: counts.longShort
      }
    }
    set {
      switch beatClass {
      case .normal: counts.normal = newValue
      case .ectopic: counts.ectopic = newValue
      case .missed: counts.missed = newValue
      case .extra: counts.extra = newValue
      case .longShort: counts.longShort = newValue
      }
    }
  }

  /// The number of all intervals.
  public var total: Int { counts.normal + artifacts }

  /// The number of intervals of all classes except `normal`.
  public var artifacts: Int { counts.ectopic + counts.missed + counts.extra + counts.longShort }

  /// Whether all counts are the same.
  public static func == (left: BeatClassCounts, right: BeatClassCounts) -> Bool { left.counts == right.counts }

  /// Hashes the counts.
  public func hash(into hasher: inout Hasher) {
    for beatClass in BeatClass.allCases { hasher.combine(self[beatClass]) }
  }
}
