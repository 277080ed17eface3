import TachogramCore

extension API {
  /// What the overlay shows of a strap. It contains the requested fields alone, and neither an address nor a session.
  struct OverlayState: Encodable, Sendable {
    /// The number of beats in the trace.
    private static let traceLength = 60

    /// Whether the values are of now.
    let isCurrent: Bool
    /// The time since the last notification, in ms; absent before the first one.
    let age: Int64?
    let name: String?
    let heartRate: UInt16?
    let rmssd: Double?
    let sdnn: Double?
    let stress: Stress?
    let batteryPercent: UInt8?
    /// The last RR intervals in ms, the oldest first; `null` stands for a gap.
    let trace: [Double?]?

    /// Creates the state of a reading, or of no strap.
    init(_ reading: Reading?, at time: String, fields: [Overlay.Field]) {
      func value<Value>(_ field: Overlay.Field, _ value: (Reading) -> Value?) -> Value? {
        fields.contains(field) ? reading.flatMap(value) : nil
      }
      isCurrent = reading?.isCurrent ?? false
      let (now, last) = (Timestamp.time(time), reading?.lastHeard.flatMap(Timestamp.time))
      age = now.flatMap { now in last.map { max(0, now.microseconds(since: $0) / 1000) } }
      name = value(.name) { ChosenName.forOthers($0.name, strap: $0.strap) }
      heartRate = value(.heartRate) { $0.heartRate }
      rmssd = value(.rmssd) { $0.fiveMinutes?.rmssd }
      sdnn = value(.sdnn) { $0.fiveMinutes?.sdnn }
      stress = value(.stress) { $0.stress }
      batteryPercent = value(.battery) { $0.batteryPercent }
      trace = value(.trace) { reading in
        reading.beats.suffix(Self.traceLength).flatMap { $0.followsGap == true ? [nil, $0.rr] : [$0.rr] }
      }
    }
  }
}
