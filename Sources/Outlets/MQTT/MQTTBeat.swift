/// The message of a beat.
struct MQTTBeat: Encodable {
  /// The end of the interval, in ISO 8601.
  let time: String
  /// The interval, in ms.
  let rr: Double
  /// The number of the beat in its session.
  let sequence: Int64
  /// Whether the beat is doubtful.
  let isMarked: Bool
  /// Whether beats are missing before it.
  let followsGap: Bool

  private enum CodingKeys: String, CodingKey {
    case time, rr, sequence
    case isMarked = "marked"
    case followsGap = "follows_gap"
  }
}
