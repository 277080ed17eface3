import Sleep

/// A data point of Open mHealth as it is read: the fields of sleep, all of which may be missing.
struct OpenMHealthPoint: Decodable {
  struct Header: Decodable {
    let schema_id: Schema
    let acquisition_provenance: Provenance?
  }

  struct Schema: Decodable {
    let namespace: String
    let name: String
    let version: String
  }

  struct Provenance: Decodable {
    let source_name: String?
  }

  struct Quantity: Decodable {
    let value: Double
    let unit: String

    /// The duration in microseconds, or `nil` if it is negative, longer than a week or in an unknown unit.
    var microseconds: Int64? {
      let seconds: [String: Double] = ["ms": 0.001, "sec": 1, "min": 60, "h": 3600, "d": 86_400]
      guard let factor = seconds[unit], value >= 0, value * factor <= Self.longest else { return nil }
      return Int64((value * factor * 1e6).rounded())
    }

    private static let longest = Double(Int64(SleepAxis.maximumEpochCount) * SleepAxis.epochSeconds)
  }

  struct Frame: Decodable {
    let time_interval: Interval?
  }

  struct Interval: Decodable {
    let start_date_time: String?
    let end_date_time: String?
    let duration: Quantity?
  }

  struct Body: Decodable {
    let effective_time_frame: Frame?
    let latency_to_sleep_onset: Quantity?
    let latency_to_arising: Quantity?
    let total_sleep_time: Quantity?
    let wake_after_sleep_onset: Quantity?
    let number_of_awakenings: Int?
    let sleep_duration: Quantity?
  }

  let header: Header
  let body: Body
}
