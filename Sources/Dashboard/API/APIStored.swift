import StressKit
import TachogramCore

extension API {
  /// A session as lists show it.
  package struct Session: Encodable, Sendable {
    package var id: String
    package var strap: String
    package var name: String
    package var person: String?
    package var label: String?
    package var note: String?
    package var origin: String
    /// The kind of file that it was imported from, or `nil` if it was received from a strap.
    package var madeFrom: String?
    package var start: String
    package var end: String
    package var isComplete: Bool
    package var isRunning: Bool
    package var notifications: Int64
    package var beats: Int64
    package var gaps: Int64
    package var meanHeartRate: Double?
    package var sdnn: Double?
    package var rmssd: Double?
    package var stress: Double?

    package init(_ summary: SessionSummary, name: String, isRunning: Bool) {
      let (record, means) = (summary.record, summary.means)
      let session = record.description
      id = session.id
      strap = session.strap.address.description
      self.name = name
      person = session.person
      label = session.label
      note = record.note
      origin = session.origin.rawValue
      madeFrom = session.madeFrom
      start = Timestamp.text(session.start)
      end = Timestamp.text(record.end)
      isComplete = record.isComplete
      self.isRunning = isRunning
      notifications = record.entryCount
      beats = record.beatCount
      gaps = record.gapCount
      meanHeartRate = API.rounded(means.meanHeartRate)
      sdnn = API.rounded(means.sdnn)
      rmssd = API.rounded(means.rmssd)
      stress = API.rounded(means.stress)
    }
  }

  package struct Sessions: Encodable, Sendable {
    package var sessions: [Session]
    package var next: String?

    package init(sessions: [Session], next: String?) {
      self.sessions = sessions
      self.next = next
    }
  }

  package struct Windows: Encodable, Sendable {
    package var length: Int
    package var windows: [Window]

    package init(length: Int, windows: [Window]) {
      self.length = length
      self.windows = windows
    }
  }

  package struct StressSeries: Encodable, Sendable {
    package struct Measurement: Encodable, Sendable {
      package var time: String
      package var level: Double
      package var category: StressCategory
      package var confidence: Double
      package var hrv: Double
      package var kind: HRVKind
      package var heartRate: Double
    }

    package var stress: [Measurement]

    package init(_ measurements: [StressMeasurement]) {
      stress = measurements.map { measurement in
        Measurement(
          time: Timestamp.text(measurement.timestamp), level: API.rounded(measurement.stressLevel) ?? 0,
          category: measurement.category, confidence: API.rounded(measurement.confidence) ?? 0,
          hrv: API.rounded(measurement.hrv) ?? 0, kind: measurement.kind,
          heartRate: API.rounded(measurement.heartRate) ?? 0)
      }
    }
  }

  /// The amounts of data that a deletion removes.
  package struct DeletionCounts: Encodable, Sendable {
    package var sessions: Int64
    package var notifications: Int64
    package var beats: Int64
    package var stress: Int64
    package var windows: Int64
    package var readings: Int64
    package var trends: Int64
    package var people: Int64
    package var running: Int64
    package var first: String?
    package var last: String?
    /// The paths of databases that were replaced by a copy and may still hold what was deleted, with the reasons.
    package var remaining: [String]

    package init(_ contents: SessionContents, running: Int64, remaining: [String] = []) {
      self.remaining = remaining
      sessions = contents.sessions
      notifications = contents.notifications
      beats = contents.beats
      stress = contents.stress
      windows = contents.windows
      readings = contents.readings
      trends = contents.trends
      people = contents.people
      self.running = running
      first = contents.first.map(Timestamp.text)
      last = contents.last.map(Timestamp.text)
    }
  }

  package struct Band: Encodable, Hashable, Sendable {
    package var low: Double
    package var middle: Double
    package var high: Double

    package init(low: Double, middle: Double, high: Double) {
      self.low = API.rounded(low) ?? 0
      self.middle = API.rounded(middle) ?? 0
      self.high = API.rounded(high) ?? 0
    }
  }

  /// Heart rate, HRV and stress over time.
  package struct Trends: Encodable, Sendable {
    package struct Point: Encodable, Sendable {
      package var start: String
      package var minutes: Double
      package var meanHeartRate: Double?
      package var lowestHeartRate: Double?
      package var sdnn: Double?
      package var rmssd: Double?
      package var stress: Double?
      package var highestStress: Double?

      package init(_ point: TrendPoint) {
        start = Timestamp.text(point.start)
        minutes = API.rounded(point.minutes) ?? 0
        meanHeartRate = API.rounded(point.meanHeartRate)
        lowestHeartRate = API.rounded(point.lowestHeartRate)
        sdnn = API.rounded(point.sdnn)
        rmssd = API.rounded(point.rmssd)
        stress = API.rounded(point.stress)
        highestStress = API.rounded(point.highestStress)
      }
    }

    package var period: String
    package var start: String
    package var end: String
    package var points: [Point]
    /// The usual ranges, keyed by metric.
    package var usual: [String: Band]?

    package init(period: TrendPeriod, start: WallTime, end: WallTime, points: [TrendPoint], usual: [String: Band]?) {
      self.period = period.rawValue
      self.start = Timestamp.text(start)
      self.end = Timestamp.text(end)
      self.points = points.map(Point.init)
      self.usual = usual
    }
  }
}
