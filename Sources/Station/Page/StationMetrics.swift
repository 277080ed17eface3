import Dashboard
import TachogramCore

/// The metrics for a monitoring system. They contain no heart data, which is for authorised persons only.
struct StationMetrics {
  let facts: StationFacts
  let live: API.Live
  let feed: EventFeed.Counts
  let watched: Maintenance.Watched
  /// Whether notifications cannot be stored.
  let isStorageFailing: Bool
  let lastSnapshot: WallTime?
  let databaseBytes: Int64

  var metrics: [Metric] {
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
