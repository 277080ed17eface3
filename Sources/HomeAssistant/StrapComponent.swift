/// A value of a strap that Home Assistant shows as an entity. The raw value is the key in `StrapState` and in identifiers: it
/// must not change.
package enum StrapComponent: String, Hashable, Sendable, CaseIterable {
  case heartRate = "heart_rate"
  case rmssd
  case sdnn
  case stress
  case stressCategory = "stress_category"
  case battery
  case contact
  case signal
  case session
  case sleepStage = "sleep_stage"
  /// Starts and stops recording.
  case recording

  /// Whether Home Assistant can change it.
  package var isCommand: Bool { self == .recording }

  /// All components that only report values.
  package static let readOnly = Set(allCases.filter { !$0.isCommand })

  /// The values that a component of a closed set can have, `nil` for another component. They are the raw values of the station's
  /// stress categories and sleep stages; what the station does not know is `null`.
  package var options: [String]? {
    switch self {
    case .stressCategory: ["relaxed", "mild", "moderate", "high"]
    case .sleepStage: ["wake", "light", "deep", "rem", "nrem", "asleep"]
    default: nil
    }
  }
}
