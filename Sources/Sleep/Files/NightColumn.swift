/// A column of a file with data of a night.
package struct NightColumn: Hashable, Sendable {
  /// What a column holds. Raw values are the names in headings.
  package enum Kind: String, Hashable, Sendable {
    case beatTime = "beat_time_s"
    case interval = "rr_ms"
    case type
    case previousType = "prev_type"
    case epochStart = "epoch_start_s"
    case movement = "count_feature"
    case sampleTime = "seconds"
    case heartRate = "beats per minute"

    /// The values that it may have.
    var range: ClosedRange<Double> {
      switch self {
      case .beatTime: 0...NightColumn.latest
      case .epochStart: -NightColumn.distant...NightColumn.latest
      // What is after the end of a night with movement is left out.
      case .sampleTime: -NightColumn.distant...NightColumn.distant
      case .interval: 0...1000 * NightColumn.latest
      case .movement: 0...1e12
      case .heartRate: 0...1000
      case .type, .previousType: 0...0
      }
    }

    /// What a cell holds, for messages.
    package var expectation: String {
      switch self {
      case .beatTime: "seconds from the start of the night, 0 to 604800 (a week)"
      case .epochStart, .sampleTime: "seconds from the start of the night, -1000000000 to 604800 (a week)"
      case .interval: "ms from the beat before, 0 to 604800000 (a week)"
      case .movement: "the movement in 30 s, 0 to 1000000000000, or an empty cell"
      case .heartRate: "0 to 1000 beats per minute"
      case .type, .previousType: "the type of a beat"
      }
    }
  }

  /// The longest night in seconds: a week.
  static let latest = Double(SleepAxis.maximumEpochCount) * Double(SleepAxis.epochSeconds)
  /// The most distant time before and after a night in seconds: decades.
  private static let distant = 1e9

  /// Its place in a row, counted from 1.
  package let number: Int
  package let kind: Kind
}
