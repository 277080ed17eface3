import Dashboard
import Presentation
import TachogramCore

/// The metrics for a monitoring system. They contain heart data and the names of straps only if the configuration and the token
/// of the request allow it, and never an address.
struct StationMetrics {
  let facts: StationFacts
  let live: API.Live
  let feed: EventFeed.Counts
  let watched: Maintenance.Watched
  /// Whether notifications cannot be stored.
  let isStorageFailing: Bool
  let lastSnapshot: WallTime?
  let databaseBytes: Int64
  /// Whether heart values are included.
  let includesHeart: Bool

  /// The metrics, each family once.
  var metrics: [Metric] { ofStation + (includesHeart ? ofHearts : []) }

  /// The heart values of the straps that are current. A strap has the label of its number, as in all metrics, and of its name.
  private var ofHearts: [Metric] {
    func each(_ value: (API.Reading) -> Double?) -> [Metric.Sample] {
      live.readings.filter(\.isCurrent).compactMap { strap in
        value(strap).map { value in
          // A strap without a name has its address instead.
          Metric.Sample(value, [.init("strap", String(strap.strap)), .init("name", LogText.safe(strap.name))])
        }
      }
    }
    return [
      Metric(
        "tachogram_heart_rate_bpm", .gauge, "Heart rate, as a strap sends it.", each { $0.heartRate.map(Double.init) }),
      Metric("tachogram_rmssd_ms", .gauge, "RMSSD of the last five minutes.", each { $0.fiveMinutes?.rmssd }),
      Metric("tachogram_sdnn_ms", .gauge, "SDNN of the last five minutes.", each { $0.fiveMinutes?.sdnn }),
      Metric("tachogram_stress_level", .gauge, "Stress level, 0 to 100.", each { $0.stress?.level }),
      Metric(
        "tachogram_strap_contact", .gauge, "Whether a strap has skin contact; absent if it does not report it.",
        each { SensorContact(rawValue: $0.contact)?.isDetected.map { $0 ? 1 : 0 } }),
    ]
  }

  private var ofStation: [Metric] {
    let straps = live.readings
    func each(_ value: (API.Reading) -> Double?) -> [Metric.Sample] {
      straps.compactMap { strap in value(strap).map { Metric.Sample($0, [.init("strap", String(strap.strap))]) } }
    }
    func one(_ value: Double) -> [Metric.Sample] { [Metric.Sample(value)] }
    return [
      Metric("tachogram_build_info", .gauge, "The version.", [Metric.Sample(1, [.init("version", facts.version)])]),
      Metric(
        "tachogram_start_time_seconds", .gauge, "When the station started.",
        one(Double(facts.started.microseconds) / 1e6)),
      Metric("tachogram_strap_current", .gauge, "Whether a strap's reading is of now.", each { $0.isCurrent ? 1 : 0 }),
      Metric(
        "tachogram_strap_notifications", .counter, "Notifications of the session.", each { Double($0.notifications) }),
      Metric("tachogram_strap_gaps", .counter, "Gaps of the session.", each { Double($0.gaps) }),
      Metric(
        "tachogram_strap_battery_percent", .gauge, "Charge of a strap.", each { $0.batteryPercent.map(Double.init) }),
      Metric(
        "tachogram_strap_signal_dbm", .gauge, "Signal strength of a strap.", each { $0.signalDBm.map(Double.init) }),
      Metric("tachogram_alerts", .gauge, "What a person should see to.", one(Double(watched.alerts.count))),
      Metric(
        "tachogram_storage_failing", .gauge, "Whether notifications cannot be stored.",
        one(isStorageFailing ? 1 : 0)),
      Metric("tachogram_disk_low", .gauge, "Whether the disk is nearly full.", one(watched.isDiskLow ? 1 : 0)),
      Metric("tachogram_database_bytes", .gauge, "Size of the database and its log.", one(Double(databaseBytes))),
      Metric(
        "tachogram_last_snapshot_time_seconds", .gauge, "When the database was last copied.",
        lastSnapshot.map { one(Double($0.microseconds) / 1e6) } ?? []),
      Metric("tachogram_event_readers", .gauge, "Pages that listen.", one(Double(feed.readers))),
      Metric(
        "tachogram_event_readers_dropped", .counter, "Pages that were too slow and were disconnected.",
        one(Double(feed.dropped))),
      Metric("tachogram_events", .counter, "Events that were published.", one(Double(feed.events))),
    ]
  }
}
