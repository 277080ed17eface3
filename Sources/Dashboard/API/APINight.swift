import TachogramCore

extension API {
  /// A request to begin a night.
  package struct NewNight: Decodable, Hashable, Sendable {
    /// The running session, or `nil` for the only one.
    package var session: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case session
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
      session = try container.decodeIfPresent(String.self, forKey: .session)
      guard session.map(RequestText.isIdentifier) ?? true else {
        throw DashboardError.badRequest("session is the identifier of a session.")
      }
    }
  }

  /// A night. Times asleep are in minutes, shares in percent; a value that is not known is absent.
  package struct Night: Encodable, Hashable, Sendable {
    package var session: String
    package var person: String?
    /// `page`, `command`, `automatic` or `file`.
    package var origin: String
    package var start: String
    /// Absent while the night lasts.
    package var end: String?
    package var isRunning: Bool
    /// What the stages were estimated with.
    package var estimator: String?
    package var timeInBed: Double?
    package var timeAsleep: Double?
    package var sleepLatency: Double?
    package var wakeAfterSleepOnset: Double?
    package var efficiency: Double?
    package var awakenings: Int?
    /// The minutes of each stage that the night has.
    package var stageMinutes: [String: Double]?
    /// From 0 to 100.
    package var quality: Double?
    /// The percentage of the epochs of the sleep period with movement.
    package var restlessness: Double?
    /// In beats per minute.
    package var lowestHeartRate: Double?
    package var meanHeartRate: Double?
    /// In ms.
    package var rmssd: Double?

    package init(session: String, person: String?, origin: String, start: WallTime, end: WallTime?) {
      self.session = session
      self.person = person
      self.origin = origin
      self.start = Timestamp.text(start)
      self.end = end.map(Timestamp.text)
      isRunning = end == nil
    }
  }

  /// Nights, the newest first.
  package struct Nights: Encodable, Hashable, Sendable {
    package var nights: [Night]
    /// The sleep regularity index of these nights, −100 to 100; absent with fewer than five.
    package var regularity: Double?

    package init(nights: [Night], regularity: Double?) {
      self.nights = nights
      self.regularity = regularity
    }
  }

  /// A part of a night in one stage.
  package struct NightStage: Encodable, Hashable, Sendable {
    package var start: String
    package var end: String
    package var stage: String

    package init(start: WallTime, end: WallTime, stage: String) {
      self.start = Timestamp.text(start)
      self.end = Timestamp.text(end)
      self.stage = stage
    }
  }

  /// A night with what its charts need. Series have one element for each part of the night of `step` seconds, `nil` where
  /// nothing is known; there are at most 200.
  package struct NightDetail: Encodable, Hashable, Sendable {
    package var night: Night
    package var stages: [NightStage]
    package var step: Double
    /// In beats per minute.
    package var heartRate: [Double?]
    /// In ms.
    package var rmssd: [Double?]
    /// In milli-g.
    package var movement: [Double?]
    /// How the quality is computed.
    package var qualityFormula: String

    package init(night: Night, stages: [NightStage], step: Double, qualityFormula: String) {
      self.night = night
      self.stages = stages
      self.step = step
      (heartRate, rmssd, movement) = ([], [], [])
      self.qualityFormula = qualityFormula
    }
  }
}
