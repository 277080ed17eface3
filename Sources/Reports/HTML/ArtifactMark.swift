import TachogramCore

/// The drawing style of an artifact: each class has its own shape and colour.
enum ArtifactMark {
  /// The classes in the order of the report.
  static let classes: [BeatClass] = [.ectopic, .missed, .extra, .longShort]

  /// Returns the shape around a point in relative steps, which is small if there are many.
  static func shape(_ beatClass: BeatClass, isSmall: Bool = false) -> StaticString {
    switch beatClass {
    case .ectopic where isSmall: "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"
    case .missed where isSmall: "m0-3l3 5h-6z"
    case .extra where isSmall: "m-2-2h4v4h-4z"
    case .longShort where isSmall: "m0-3l2.5 3l-2.5 3l-2.5-3z"
    case .normal: "h0"
    case .ectopic: "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
    case .missed: "m0-5l5 9h-10z"
    case .extra: "m-4-4h8v8h-8z"
    case .longShort: "m0-6l5 6l-5 6l-5-6z"
    }
  }

  static func label(_ beatClass: BeatClass) -> String {
    switch beatClass {
    case .normal: "normal"
    case .ectopic: "ectopic"
    case .missed: "with missed beats"
    case .extra: "with extra beats"
    case .longShort: "too long or too short"
    }
  }
}
