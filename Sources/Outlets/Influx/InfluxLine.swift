import TachogramCore

/// A line of the Influx line protocol: `measurement,tag=value field=value time`.
/// https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
struct InfluxLine: Hashable, Sendable {
  /// With its line end.
  let text: String

  /// A beat. Its time has the number of the beat in its last three digits, because two points of one time and strap are one.
  init(_ beat: OutletBeat, strap: String, name: String) {
    self.init(
      "tachogram_beat", strap, name,
      [
        "rr=\(beat.interval)", "sequence=\(beat.sequence)i", "marked=\(beat.isMarked)",
        "follows_gap=\(beat.followsGap)",
      ], Self.nanoseconds(beat.time) + Swift.abs(beat.sequence % 1000))
  }

  /// The values of a reading, or `nil` if it has none.
  init?(_ reading: OutletReading, strap: String) {
    let fields = [
      reading.heartRate.map { "heart_rate=\($0)i" }, reading.rmssd.flatMap { Self.field("rmssd", $0) },
      reading.sdnn.flatMap { Self.field("sdnn", $0) }, reading.stress.flatMap { Self.field("stress", $0.level) },
      reading.battery.map { "battery=\($0)i" }, reading.signal.map { "signal=\($0)i" },
      reading.contact.map { "contact=\($0)" }, reading.isAverage ? "average=true" : nil,
    ].compactMap(\.self)
    guard !fields.isEmpty else { return nil }
    self.init("tachogram_reading", strap, reading.name, fields, Self.nanoseconds(reading.time))
  }

  private init(_ measurement: String, _ strap: String, _ name: String, _ fields: [String], _ time: Int64) {
    text = "\(measurement),name=\(Self.escaped(name)),strap=\(strap) \(fields.joined(separator: ",")) \(time)\n"
  }

  private static func nanoseconds(_ time: WallTime) -> Int64 {
    let (product, overflows) = time.microseconds.multipliedReportingOverflow(by: 1000)
    // The last three digits are those of the number of a beat.
    return overflows ? (time.microseconds < 0 ? .min : .max - 999) : product
  }

  private static func field(_ name: String, _ value: Double) -> String? {
    value.isFinite ? "\(name)=\(value)" : nil
  }

  /// The value of a tag. It is not empty, has no line ends, and does not end with a backslash.
  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case ",", "=", " ": text += "\\\(scalar)"
      case "\\": text += "/"
      case _ where scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029:
        text += "\\ "
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text.isEmpty ? "unnamed" : text
  }
}
