import GATT
import TachogramCore

/// One strap of the live view.
struct LiveRow {
  var reading: LiveReading
  /// As which the strap was identified last.
  private(set) var identity: StrapIdentity?
  /// The times of the first notification, and of the last one that could be decoded.
  private(set) var first: MonotonicTime?
  private(set) var last: MonotonicTime?

  init(reading: LiveReading) {
    self.reading = reading
  }

  /// Updates the row with an event and its derived values. `name` is the new name of the strap; `nil` leaves the name
  /// unchanged.
  mutating func handle(
    _ event: StrapEvent, _ name: String?, _ batch: SessionBatch, _ derived: LiveBoard.Derived?,
  ) {
    if let name { reading.strap = name }
    switch event.content {
    case .identified(let identity):
      self.identity = identity
      if let battery = identity.characteristics[GATTUUID.batteryLevel].flatMap({ try? BatteryLevel.decode($0[...]) }) {
        reading.battery = battery.percent
      }
    case .state(let state): reading.link = state
    case .signal(let dBm): reading.signal = dBm
    case .notification(let value): handle(value, at: event.monotonic)
    case .linkUp, .sensor, .linkDown, .dismissed: break
    }
    reading.append(batch)
    guard let derived else { return }
    reading.minute = derived.windows.first { $0.length == .minute } ?? reading.minute
    reading.fiveMinutes = derived.windows.first { $0.length == .fiveMinutes } ?? reading.fiveMinutes
    reading.stress = derived.stress
    reading.stressAbsence = derived.stressAbsence
  }

  /// Updates the reading with a notification. A value that cannot be decoded is counted, but does not refresh the reading.
  private mutating func handle(_ value: [UInt8], at time: MonotonicTime) {
    reading.notifications += 1
    if first == nil { first = time }
    guard let measurement = try? HeartRateMeasurementCodec.decode(value.span) else { return }
    last = time
    // The source emits the change of state after the notification that causes it.
    if reading.link.phase.isConnected, reading.link.phase != .live {
      reading.link = LinkState(phase: .live, since: time)
    }
    reading.heartRate = measurement.heartRate
    reading.contact = measurement.contact
  }
}
