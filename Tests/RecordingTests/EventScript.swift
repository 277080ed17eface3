import GATT
import TachogramCore

/// Writes the events of a strap down, a second at a time.
struct EventScript {
  private(set) var events: [StrapEvent] = []
  private var seconds: Int64 = 0
  let strap: Int

  init(strap: Int = 0) {
    self.strap = strap
    add(.identified(StrapIdentity(address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(strap), kind: .random))))
  }

  mutating func add(_ content: StrapEvent.Content) {
    let time = 1_700_000_000_000_000 + seconds * 1_000_000
    events.append(
      StrapEvent(
        strap: strap, monotonic: MonotonicTime(microseconds: time - 1_600_000_000_000_000),
        wall: WallTime(microseconds: time), content: content))
  }

  mutating func up(handle: UInt16 = 0x12) {
    add(.linkUp(handle: handle, handleSource: .discovered, bootID: "boot"))
  }

  /// Notifications with one beat of a second each.
  mutating func notify(_ count: Int) {
    for _ in 0..<count {
      seconds += 1
      let beat = HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([RRInterval(ticks: 1024)]))
      add(.notification(HeartRateMeasurementCodec.encode(beat)))
    }
  }

  mutating func pass(seconds: Int64) {
    self.seconds += seconds
  }
}
