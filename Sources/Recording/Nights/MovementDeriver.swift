import GATT
import TachogramCore

/// Computes the movement of epochs of 30 s from the acceleration frames of a session.
///
/// The last sample of a frame has the time at which the frame arrived, and the others precede it at the rate of the strap's
/// clock. The samples of each tenth of a second are averaged, and the movement of an epoch is the mean length of the change
/// between neighbouring tenths, in milli-g. The memory does not depend on the length of the session.
package struct MovementDeriver: Sendable {
  private static let slot: Int64 = 100_000
  private static let epoch: Int64 = 30_000_000
  /// The nanoseconds in a microsecond.
  private static let nanoseconds: UInt64 = 1_000
  /// The rate of a stream whose start is not known, in Hz.
  private static let usualRate: UInt16 = 25

  /// The sum of the samples of a tenth of a second.
  private struct Slot {
    let number: Int64
    private var (x, y, z, count): (Int64, Int64, Int64, Int64)

    init(number: Int64) {
      self.number = number
      (x, y, z, count) = (0, 0, 0, 0)
    }

    mutating func add(_ sample: PolarAccelerationSample) {
      x += Int64(sample.x)
      y += Int64(sample.y)
      z += Int64(sample.z)
      count += 1
    }

    /// The length of the difference of the means.
    func change(to next: Slot) -> Double {
      let (a, b) = (Double(count), Double(next.count))
      let (dx, dy, dz) = (
        Double(next.x) / b - Double(x) / a, Double(next.y) / b - Double(y) / a, Double(next.z) / b - Double(z) / a
      )
      return (dx * dx + dy * dy + dz * dz).squareRoot()
    }
  }

  private let start: MonotonicTime
  private var factor: Float = 1
  private var clock: PolarSampleClock?
  private var current: Slot?
  /// The last complete tenth of a second.
  private var last: Slot?
  private var epochNumber: Int64 = 0
  private var sum = 0.0
  private var changes = 0
  private var slots = 0
  private var completed: [MovementEpoch] = []

  /// Creates a deriver. `start` is the start of the session, from which epochs count.
  package init(start: MonotonicTime) {
    self.start = start
  }

  // MARK: - Input

  /// Adds an entry of the session. Entries of other measurements, and frames that cannot be read, are ignored.
  package mutating func ingest(_ entry: SensorEntry) {
    switch entry.content {
    case .started(let request, let response):
      guard entry.content.startedMeasurement == .acceleration else { return }
      begin(request, response)
    case .stopped:
      if entry.content.stoppedMeasurements.contains(.acceleration) { linkDown() }
    case .frame(let bytes):
      guard bytes.first == PolarMeasurementType.acceleration.rawValue,
        let frame = try? PolarMeasurementFrame.decode(bytes[...], factor: factor),
        case .acceleration(let samples) = frame.samples
      else { return }
      add(samples, last: frame.header.time, arrival: entry.monotonic)
    }
  }

  /// Ends the stream: what follows does not continue the samples so far.
  package mutating func linkDown() {
    closeSlot()
    (last, clock) = (nil, nil)
  }

  /// Completes the last epoch.
  package mutating func finish() {
    linkDown()
    closeEpoch()
  }

  /// Removes and returns the epochs that are complete, in order. An epoch without two neighbouring tenths is left out.
  package mutating func drain() -> [MovementEpoch] {
    defer { completed = [] }
    return completed
  }

  private mutating func begin(_ request: [UInt8], _ response: [UInt8]) {
    linkDown()
    var rate = Self.usualRate
    if case .start(_, let settings)? = try? PolarControlPointRequest.decode(request[...]) {
      rate = settings.sampleRates.first ?? rate
    }
    clock = PolarSampleClock(rate: rate)
    factor = (try? PolarControlPointResponse.decode(response[...]).settings())?.factor ?? 1
  }

  // MARK: - Samples

  private mutating func add(_ samples: [PolarAccelerationSample], last: UInt64, arrival: MonotonicTime) {
    if clock == nil { clock = PolarSampleClock(rate: Self.usualRate) }
    guard let times = clock?.times(count: samples.count, last: last) else { return }
    let end = arrival.microseconds(since: start)
    for (sample, time) in zip(samples, times) {
      let microseconds = end - Int64(clamping: (last - min(last, time)) / Self.nanoseconds)
      guard microseconds >= 0 else { continue }
      add(sample, slot: microseconds / Self.slot)
    }
  }

  private mutating func add(_ sample: PolarAccelerationSample, slot number: Int64) {
    if let current, number != current.number {
      // The times of two frames may overlap by some milliseconds, since one may arrive late.
      guard number > current.number else { return }
      closeSlot()
    }
    if current == nil {
      guard last.map({ number > $0.number }) ?? true else { return }
      current = Slot(number: number)
    }
    current?.add(sample)
  }

  private mutating func closeSlot() {
    guard let closed = current else { return }
    current = nil
    let epoch = closed.number / (Self.epoch / Self.slot)
    if epoch != epochNumber {
      closeEpoch()
      epochNumber = epoch
    }
    slots += 1
    if let last, last.number + 1 == closed.number {
      sum += last.change(to: closed)
      changes += 1
    }
    last = closed
  }

  private mutating func closeEpoch() {
    defer { (sum, changes, slots) = (0, 0, 0) }
    guard changes > 0 else { return }
    completed.append(
      MovementEpoch(
        time: start.advanced(byMicroseconds: epochNumber * Self.epoch), intensity: sum / Double(changes),
        coverage: min(1, Double(slots) / Double(Self.epoch / Self.slot))))
  }
}
