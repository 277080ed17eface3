import Foundation
import TachogramCore

extension API {
  /// A measurement of some minutes that a person began.
  package struct HRVReading: Encodable, Hashable, Sendable {
    package let id: String
    /// `morning` or `spot`.
    package let kind: String
    package let person: String?
    package let session: String?
    package let start: String
    package let seconds: Double
    package let coverage: Double
    package let artifactShare: Double
    package let beats: Int
    package let meanHeartRate: Double?
    package let sdnn: Double?
    package let rmssd: Double?
    package let lnRMSSD: Double?

    package init(_ reading: TachogramCore.HRVReading) {
      id = reading.id
      kind = reading.kind.rawValue
      person = reading.person
      session = reading.session
      start = Timestamp.text(reading.start)
      seconds = API.rounded(reading.duration.inSeconds) ?? 0
      coverage = API.rounded(reading.coverage) ?? 0
      artifactShare = API.rounded(reading.artifactShare) ?? 0
      beats = reading.count
      meanHeartRate = API.rounded(reading.meanHeartRate)
      sdnn = API.rounded(reading.sdnn)
      rmssd = API.rounded(reading.rmssd)
      lnRMSSD = API.rounded(reading.rmssd.flatMap { $0 > 0 ? log($0) : nil })
    }
  }

  /// A morning reading in comparison with the other mornings of the last 60 days.
  package struct MorningComparison: Encodable, Hashable, Sendable {
    /// The number of other mornings, and how many are needed for a comparison.
    package let mornings: Int
    package let needed: Int
    /// The usual range of RMSSD, in ms.
    package let usual: Band?
    /// `below`, `within` or `above`.
    package let verdict: String?

    package init(mornings: Int, needed: Int, usual: Band? = nil, verdict: String? = nil) {
      self.mornings = mornings
      self.needed = needed
      self.usual = usual
      self.verdict = verdict
    }
  }

  package struct HRVReadings: Encodable, Sendable {
    package let readings: [HRVReading]
    /// The comparison of the newest morning reading in the list.
    package let morning: MorningComparison?

    package init(readings: [HRVReading], morning: MorningComparison?) {
      self.readings = readings
      self.morning = morning
    }
  }

  /// A measurement that is running or has ended since the start of the station.
  package struct RunningReading: Encodable, Hashable, Sendable {
    package enum Phase: String, Encodable, Hashable, Sendable {
      case measuring, done, failed
    }

    package let id: String
    package let kind: String
    /// The session, which is another one if the strap got a person meanwhile; then the measurement has begun again.
    package var session: String
    package var person: String?
    package var phase: Phase
    package let seconds: Double
    package var secondsLeft: Double
    /// Why there is no result, and what to do.
    package var problem: String?
    /// The result. It is stored only if the measurement is done.
    package var reading: HRVReading?
    package var morning: MorningComparison?

    package init(id: String, kind: String, session: String, person: String?, phase: Phase, seconds: Double) {
      self.id = id
      self.kind = kind
      self.session = session
      self.person = person
      self.phase = phase
      self.seconds = seconds
      secondsLeft = seconds
    }
  }

  /// A measurement to begin.
  package struct NewReading: Decodable, Hashable, Sendable {
    package let session: String
    package let kind: TachogramCore.HRVReading.Kind
    package let seconds: Int

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case session, kind, seconds
    }

    package init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      session = try body.decode(String.self, forKey: .session)
      guard RequestText.isIdentifier(session) else {
        throw DashboardError.badRequest("session is an identifier of 36 characters.")
      }
      let text = try body.decode(String.self, forKey: .kind)
      guard let kind = TachogramCore.HRVReading.Kind(rawValue: text) else {
        throw DashboardError.badRequest("kind is one of morning, spot.")
      }
      self.kind = kind
      seconds = try body.decode(Int.self, forKey: .seconds)
      guard (60...300).contains(seconds) else {
        throw DashboardError.badRequest("seconds is a whole number from 60 to 300.")
      }
    }
  }
}
