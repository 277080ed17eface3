import FoundationEssentials

/// The message of a strap's state topic. Every key is always present: Home Assistant renders `null` as `None`, which is an
/// unknown state, while a missing key is a warning in its log and leaves the state before.
package struct StrapState: Hashable, Sendable {
  /// The longest text that Home Assistant accepts as a state, in characters.
  package static let textLimit = 255

  /// Beats per minute.
  package var heartRate: Int?
  /// Milliseconds.
  package var rmssd: Double?
  /// Milliseconds.
  package var sdnn: Double?
  /// 0 to 100.
  package var stress: Double?
  /// One of `StrapComponent.stressCategory.options`.
  package var stressCategory: String?
  /// Percent.
  package var battery: Int?
  /// Whether the strap touches the skin; `nil` where it does not report this.
  package var contact: Bool?
  /// dBm.
  package var signal: Int?
  /// What is recorded, in the user's words; `nil` for nothing.
  package var session: String?
  /// One of `StrapComponent.sleepStage.options`.
  package var sleepStage: String?
  /// Whether the heart rate was received from advertisements, without a connection.
  package var isAverage = false
  /// Whether the strap is recorded at the moment.
  package var isRecording: Bool?
  /// When the values were current, in seconds since 1970.
  package var time: Double?

  package init() {}

  /// The payload: JSON in UTF-8.
  package var payload: [UInt8] { JSONText.encode(self) }
}

extension StrapState: Encodable {
  private enum Key: String, CodingKey {
    case heartRate = "heart_rate"
    case rmssd, sdnn, stress, battery, contact, signal, session, recording, time
    case isAverage = "average"
    case stressCategory = "stress_category"
    case sleepStage = "sleep_stage"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(heartRate, forKey: .heartRate)
    try container.encode(Self.rounded(rmssd), forKey: .rmssd)
    try container.encode(Self.rounded(sdnn), forKey: .sdnn)
    try container.encode(Self.rounded(stress), forKey: .stress)
    try container.encode(Self.option(stressCategory, of: .stressCategory), forKey: .stressCategory)
    try container.encode(battery, forKey: .battery)
    try container.encode(contact, forKey: .contact)
    try container.encode(signal, forKey: .signal)
    try container.encode(session.map { String($0.prefix(Self.textLimit)) }, forKey: .session)
    try container.encode(Self.option(sleepStage, of: .sleepStage), forKey: .sleepStage)
    try container.encode(isAverage, forKey: .isAverage)
    try container.encode(isRecording, forKey: .recording)
    try container.encode(time.flatMap { $0.isFinite ? $0 : nil }, forKey: .time)
  }

  /// A value with one decimal place; `nil` for one that JSON has no number for.
  private static func rounded(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite ? ($0 * 10).rounded() / 10 : nil }
  }

  /// Home Assistant reports a value outside the options as an error.
  private static func option(_ value: String?, of component: StrapComponent) -> String? {
    value.flatMap { component.options?.contains($0) == true ? $0 : nil }
  }
}
