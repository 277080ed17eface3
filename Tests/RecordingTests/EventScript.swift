import GATT
import TachogramCore

/// Writes the events of a strap down, a second at a time.
struct EventScript {
  private(set) var events: [StrapEvent] = []
  private var seconds: Int64 = 0
  /// How far the monotonic axis is behind the civil clock, in seconds; another one with another boot.
  private var boot = (name: "boot", offset: Int64(1_600_000_000))
  let strap: Int

  /// `address` is that of the strap of this ordinal, where it is another.
  init(strap: Int = 0, address: Int? = nil) {
    self.strap = strap
    let value = 0xC0FF_EE00_0001 + UInt64(address ?? strap)
    add(.identified(StrapIdentity(address: BluetoothAddress(value: value, kind: .random))))
  }

  mutating func add(_ content: StrapEvent.Content) {
    let time = 1_700_000_000_000_000 + seconds * 1_000_000
    events.append(
      StrapEvent(
        strap: strap, monotonic: MonotonicTime(microseconds: time - boot.offset * 1_000_000),
        wall: WallTime(microseconds: time), content: content))
  }

  mutating func up(handle: UInt16 = 0x12) {
    add(.linkUp(handle: handle, handleSource: .discovered, bootID: boot.name))
  }

  /// Notifications with one beat of a second each.
  mutating func notify(_ count: Int) {
    for _ in 0..<count {
      seconds += 1
      // Around a second, and never the same again: what repeats itself has no values.
      let interval = RRInterval(ticks: 1006 + UInt16(seconds * seconds % 37))
      let beat = HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([interval]))
      add(.notification(HeartRateMeasurementCodec.encode(beat)))
    }
  }

  /// The machine goes down and is up again, with its clock `seconds` further; only what comes now is kept.
  mutating func reboot(_ name: String, seconds: Int64) {
    self.seconds += seconds
    boot = (name, 1_700_000_000 + self.seconds - 20)
    let identified = events.prefix(1)
    events = []
    for event in identified { add(event.content) }
  }

  /// The program ends and starts again in the same boot.
  mutating func restart(seconds: Int64) {
    self.seconds += seconds
    let identified = events.prefix(1)
    events = []
    for event in identified { add(event.content) }
  }

  mutating func pass(seconds: Int64) {
    self.seconds += seconds
  }
}
