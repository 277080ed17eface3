import StressKit
import TachogramCore

extension API {
  /// The state of a link.
  package struct Link: Encodable, Hashable, Sendable {
    package var phase: String
    package var reason: String?
    /// A description of the state.
    package var text: String

    package init(_ state: LinkState, text: String) {
      phase = state.phase.rawValue
      reason = state.reason?.rawValue
      self.text = text
    }
  }

  package struct Stress: Encodable, Hashable, Sendable {
    package var level: Double
    package var category: StressCategory
    package var mood: StressBuddyMood
    package var confidence: Double

    package init(_ result: StressResult) {
      level = API.rounded(result.level) ?? 0
      category = result.category
      mood = result.mood
      confidence = API.rounded(result.confidence) ?? 0
    }
  }

  /// A window with its metrics.
  package struct Window: Encodable, Hashable, Sendable {
    package var end: String
    package var coverage: Double
    package var artifactShare: Double
    package var beats: Int
    package var meanNN: Double?
    package var meanHeartRate: Double?
    package var sdnn: Double?
    package var rmssd: Double?
    package var lnRMSSD: Double?
    package var pnn50: Double?
    package var sd1: Double?
    package var sd2: Double?
    /// The reasons for absent metrics, keyed by metric name; only where they are known.
    package var unavailable: [String: String]?

    /// `wording` returns the description of the reason for an absent metric.
    package init(_ window: HRVWindow, end: WallTime, wording: ((UnavailableReason) -> String)? = nil) {
      self.end = Timestamp.text(end)
      coverage = API.rounded(window.coverage) ?? 0
      artifactShare = API.rounded(window.artifactShare) ?? 0
      beats = window.metrics.count
      let values = window.metrics.values
      meanNN = API.rounded(values.meanNN)
      meanHeartRate = API.rounded(values.meanHeartRate)
      sdnn = API.rounded(values.sdnn)
      rmssd = API.rounded(values.rmssd)
      lnRMSSD = API.rounded(values.lnRMSSD)
      pnn50 = API.rounded(values.pnn50)
      sd1 = API.rounded(values.sd1)
      sd2 = API.rounded(values.sd2)
      guard let wording else { return }
      let reasons = [HRVMetric.meanHeartRate, .sdnn, .rmssd].compactMap { metric in
        window.metrics.reason(for: metric).map { (metric.rawValue, wording($0)) }
      }
      unavailable = reasons.isEmpty ? nil : Dictionary(uniqueKeysWithValues: reasons)
    }
  }

  /// The metrics of the last five minutes that are not of the time domain. They may be some seconds old.
  package struct Detail: Encodable, Hashable, Sendable {
    /// In ms².
    package var lf: Double?
    package var hf: Double?
    package var lfhf: Double?
    package var dfaAlpha1: Double?
    package var sampleEntropy: Double?
    /// Breaths a minute.
    package var respirationRate: Double?
    /// The reasons for absent metrics, keyed by metric name.
    package var unavailable: [String: String]?

    /// `wording` returns the description of the reason for an absent metric.
    package init(_ metrics: HRVMetrics, wording: (UnavailableReason) -> String) {
      lf = API.rounded(metrics[.lf])
      hf = API.rounded(metrics[.hf])
      lfhf = API.rounded(metrics[.lfhf])
      dfaAlpha1 = API.rounded(metrics[.dfaAlpha1])
      sampleEntropy = API.rounded(metrics[.sampleEntropy])
      respirationRate = API.rounded(metrics[.respirationRate])
      let told: [HRVMetric] = [.lf, .hf, .lfhf, .dfaAlpha1, .sampleEntropy, .respirationRate]
      let reasons = told.compactMap { metric in metrics.reason(for: metric).map { (metric.rawValue, wording($0)) } }
      unavailable = reasons.isEmpty ? nil : Dictionary(uniqueKeysWithValues: reasons)
    }
  }

  /// A beat of the live trace.
  package struct LiveBeat: Encodable, Hashable, Sendable {
    package var time: String
    package var rr: Double
    package var isMarked: Bool?
    package var followsGap: Bool?

    package init(rr: RRInterval, time: WallTime, isMarked: Bool, followsGap: Bool) {
      self.time = Timestamp.text(time)
      self.rr = API.rounded(rr.milliseconds) ?? 0
      self.isMarked = isMarked ? true : nil
      self.followsGap = followsGap ? true : nil
    }
  }

  /// The current values of one strap.
  package struct Reading: Encodable, Hashable, Sendable {
    package var strap: Int
    package var address: String?
    package var name: String
    package var person: String?
    package var link: Link
    package var isCurrent: Bool
    /// `true` for a heart rate that was received from advertisements: an average, which is not recorded. Otherwise absent.
    package var isAverage: Bool?
    package var lastHeard: String?
    package var heartRate: UInt16?
    package var contact: String
    package var batteryPercent: UInt8?
    package var signalDBm: Int8?
    package var minute: Window?
    package var fiveMinutes: Window?
    package var detail: Detail?
    package var stress: Stress?
    package var stressAbsence: String?
    package var session: String?
    package var start: String?
    /// The stage of the last whole epoch of the night that is recorded, or `nil` where no night is.
    package var sleepStage: String?
    package var notifications: Int
    package var gaps: Int
    /// The most recent beats, or the beats since the previous reading.
    package var beats: [LiveBeat]

    package init(
      strap: Int, name: String, link: Link, isCurrent: Bool, contact: SensorContact, notifications: Int, gaps: Int,
      beats: [LiveBeat],
    ) {
      self.strap = strap
      self.name = name
      self.link = link
      self.isCurrent = isCurrent
      self.contact = contact.rawValue
      self.notifications = notifications
      self.gaps = gaps
      self.beats = beats
    }
  }

  /// The readings of all straps.
  package struct Live: Encodable, Sendable {
    package var time: String
    package var readings: [Reading]

    package init(time: WallTime, readings: [Reading]) {
      self.time = Timestamp.text(time)
      self.readings = readings
    }
  }
}
