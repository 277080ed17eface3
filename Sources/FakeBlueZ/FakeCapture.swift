import Capture
import GATT
import TachogramCore
import TachogramTestKit

/// The straps of a capture file and their timed packets, for playback on a fake radio.
package struct FakeCapture: Sendable {
  /// An event of a strap.
  package struct Step: Sendable {
    /// The content of an event.
    package enum Content: Sendable {
      case notify([UInt8])
      /// A frame of measurement data, which is sent only if its stream was started.
      case measure([UInt8])
      /// The link ended.
      case drop
    }

    /// The time since the beginning of the capture.
    package var time: Duration
    /// The index of the strap.
    package var strap: Int
    package var content: Content
  }

  package private(set) var straps: [FakeStrap] = []
  /// The events in order of time.
  package private(set) var steps: [Step] = []

  /// Reads a whole capture into memory.
  /// - Throws: `CaptureError` if the capture has no heart rate or cannot be read.
  package init(path: String) throws {
    let replay = CaptureReplay(path: path)
    let plan = try replay.plan()
    if plan.straps.isEmpty { throw plan.refusal(path: path) }
    for (index, planned) in plan.straps.enumerated() {
      straps.append(Self.strap(planned.identity, number: index, isTaken: straps.map(\.address).contains))
    }
    var start: MonotonicTime?
    try replay.forEachEntry(plan) { strap, entry in
      let first = start ?? entry.monotonic
      start = first
      let time = Duration.microseconds(entry.monotonic.microseconds(since: first))
      switch entry.content {
      case .notification(let value): steps.append(Step(time: time, strap: strap, content: .notify(value)))
      case .linkDown: steps.append(Step(time: time, strap: strap, content: .drop))
      case .pulseIntervals(let frame):
        if straps[strap].measurements == nil { straps[strap].add(.armBand) }
        steps.append(Step(time: time, strap: strap, content: .measure(frame)))
      }
    }
  }

  private static func strap(
    _ identity: StrapIdentity, number: Int, isTaken: (BluetoothAddress) -> Bool
  ) -> FakeStrap {
    var strap = FakeStrap(number: UInt8(truncatingIfNeeded: number + 1))
    if identity.address.isKnown && !isTaken(identity.address) { strap.address = identity.address }
    for (uuid, value) in identity.characteristics { strap.setValue(value, of: uuid) }
    if let name = identity.characteristics[GATTUUID.deviceName] { strap.name = String(decoding: name, as: UTF8.self) }
    return strap
  }

  /// Returns the capture with another number of straps: fewer, or additional copies under other addresses and names.
  package func with(straps count: Int) -> FakeCapture {
    guard !straps.isEmpty, count > 0 else { return self }
    var other = self
    other.straps = (0..<count).map { index in
      var strap = straps[index % straps.count]
      guard index >= straps.count else { return strap }
      strap.address = FakeStrap(number: UInt8(truncatingIfNeeded: index + 1)).address
      strap.name += " \(index + 1)"
      return strap
    }
    other.steps = steps.flatMap { step in
      stride(from: step.strap, to: count, by: straps.count).map { index in
        var step = step
        step.strap = index
        return step
      }
    }
    return other
  }

  /// Makes all straps require a bond, each with the same passkey.
  package mutating func secure(passkey: UInt32) {
    for index in straps.indices { straps[index].secure(passkey: passkey) }
  }

  /// Makes all straps offer the measurements of a chest strap, except those that have some in the capture.
  package mutating func addMeasurements() {
    for index in straps.indices where straps[index].measurements == nil { straps[index].add(.chestStrap) }
  }

  /// Sends the acceleration and the ECG of a sleeping person on all straps, at `speed` times their pace, until the task is
  /// cancelled. Straps send only what was started.
  package func playMeasurements(on fake: FakeBlueZ, speed: Double = 1) async {
    let (clock, sleeper) = (ContinuousClock(), SimulatedSleeper())
    let start = clock.now
    let accelerationPeriod = Double(SimulatedSleeper.accelerationCount) / SimulatedSleeper.accelerationRate
    let ecgPeriod = Double(SimulatedSleeper.ecgCount) / SimulatedSleeper.ecgRate
    var (acceleration, ecg) = (0, 0)
    while !Task.isCancelled {
      let (nextAcceleration, nextECG) = (Double(acceleration + 1) * accelerationPeriod, Double(ecg + 1) * ecgPeriod)
      let due = start + .seconds(min(nextAcceleration, nextECG) / max(speed, 1e-3))
      if due > clock.now { try? await clock.sleep(until: due) }
      let isAcceleration = nextAcceleration <= nextECG
      let frame = isAcceleration ? sleeper.accelerationFrame(acceleration) : sleeper.ecgFrame(ecg)
      for strap in straps { await FakeMeasurements(of: strap, on: fake).notify(frame) }
      if isAcceleration { acceleration += 1 } else { ecg += 1 }
    }
  }

  /// Plays the capture once on straps that advertise already, at `speed` times its pace. Ends when the task is cancelled.
  /// Values sent without a subscriber are lost, as on the air. With `isBroadcast` the straps also put their heart rates into
  /// their advertisements.
  package func play(on fake: FakeBlueZ, speed: Double = 1, isBroadcast: Bool = false) async {
    let clock = ContinuousClock()
    let start = clock.now
    for step in steps {
      let due = start + step.time / max(speed, 1e-3)
      if due > clock.now { try? await clock.sleep(until: due) }
      if Task.isCancelled { return }
      switch step.content {
      case .notify(let value):
        await fake.notify(straps[step.strap], value)
        guard isBroadcast, let measurement = try? HeartRateMeasurementCodec.decode(value[...]) else { break }
        await fake.broadcast(
          straps[step.strap], heartRate: UInt8(clamping: measurement.heartRate),
          hasContact: measurement.contact != .notDetected)
      case .measure(let frame): await FakeMeasurements(of: straps[step.strap], on: fake).notify(frame)
      case .drop: await fake.dropLink(straps[step.strap])
      }
    }
  }
}
