import TachogramCore

/// The facts about the station that the page shows.
struct StationFacts: Sendable {
  let version: String
  let started: WallTime
  /// Whether a capture is played in place of the radio.
  let isReplay: Bool
}
