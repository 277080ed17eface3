import TachogramCore

/// What the page says of the station itself.
struct StationFacts: Sendable {
  let version: String
  let started: WallTime
  /// Whether a capture stands for the radio.
  let isReplay: Bool
}
