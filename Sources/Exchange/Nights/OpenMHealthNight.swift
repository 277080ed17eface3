import CommandProcess
import Presentation
import Sleep
import TachogramCore

/// A night as two data points of Open mHealth: `sleep-episode` 1.1 and `sleep-duration` 2.0 of the namespace `omh`. Both are of
/// the time from sleep onset to the last awakening. They have no stages.
struct OpenMHealthNight {
  struct DataPoint<Body: Encodable>: Encodable {
    let header: Header
    let body: Body
  }

  struct Header: Encodable {
    struct Schema: Encodable {
      var namespace = "omh"
      let name: String
      let version: String
    }

    struct Provenance: Encodable {
      var source_name = "Tachogram"
      var modality = "sensed"
    }

    let id: String
    let creation_date_time: String
    let schema_id: Schema
    var acquisition_provenance = Provenance()
    let user_id: String?
  }

  struct Quantity: Encodable {
    let value: Double
    let unit: String

    static func minutes(_ value: Double) -> Quantity { Quantity(value: value, unit: "min") }
  }

  struct TimeFrame: Encodable {
    struct Interval: Encodable {
      let start_date_time: String
      let end_date_time: String
    }

    let time_interval: Interval
  }

  struct Episode: Encodable {
    let effective_time_frame: TimeFrame
    let latency_to_sleep_onset: Quantity?
    let latency_to_arising: Quantity?
    let total_sleep_time: Quantity
    let wake_after_sleep_onset: Quantity?
    let number_of_awakenings: Int?
    let sleep_maintenance_efficiency_percentage: Quantity?
  }

  struct Duration: Encodable {
    let effective_time_frame: TimeFrame
    let sleep_duration: Quantity
  }

  private let episode: DataPoint<Episode>
  private let duration: DataPoint<Duration>

  /// Throws a failure if the night has no sleep: an episode begins with it.
  init(_ night: NightExport) throws {
    guard let asleep = night.sleepPeriod else {
      throw CommandFailure(
        "the night of session \(night.session.id) has no epoch of sleep, and Open mHealth has no form for that; use csv"
      )
    }
    let metrics = night.metrics
    let frame = TimeFrame(
      time_interval: .init(
        start_date_time: night.clock.text(night.start(of: asleep.lowerBound)),
        end_date_time: night.clock.text(night.start(of: asleep.upperBound))))
    func header(_ name: String, _ version: String) -> Header {
      Header(
        id: night.uuid(name), creation_date_time: night.clock.text(night.lightsOn),
        schema_id: .init(name: name, version: version), user_id: night.session.person)
    }
    func minutes(_ value: Double?) -> Quantity? { value.map(Quantity.minutes) }
    // A latency is the time awake: where part of it is unknown, it is too.
    func latency(_ epochs: ArraySlice<NightEpoch>) -> Quantity? {
      epochs.allSatisfy { $0.stage == .wake } ? .minutes(Double(epochs.count) / 2) : nil
    }
    let isKnown = night.epochs[asleep].allSatisfy { $0.stage != .unknown }
    episode = DataPoint(
      header: header("sleep-episode", "1.1"),
      body: Episode(
        effective_time_frame: frame, latency_to_sleep_onset: latency(night.epochs[..<asleep.lowerBound]),
        latency_to_arising: latency(night.epochs[asleep.upperBound...]),
        total_sleep_time: .minutes(metrics.totalSleepTime),
        wake_after_sleep_onset: isKnown ? minutes(metrics.wakeWithinSleepPeriod) : nil,
        number_of_awakenings: isKnown ? metrics.awakenings : nil,
        sleep_maintenance_efficiency_percentage: isKnown
          ? metrics.sleepMaintenance.map { Quantity(value: $0, unit: "%") } : nil))
    duration = DataPoint(
      header: header("sleep-duration", "2.0"),
      body: Duration(effective_time_frame: frame, sleep_duration: .minutes(metrics.totalSleepTime)))
  }

  /// Writes an array of both data points.
  func write(to sink: some ByteSink) throws {
    let json = JSONOutput(isPretty: false)
    try sink.write("[\n\(try json.text(episode)),\n\(try json.text(duration))\n]\n")
  }
}
