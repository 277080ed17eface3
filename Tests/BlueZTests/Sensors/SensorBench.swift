import BlueZ
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit

/// A source on a fake daemon that follows one strap with measurement streams.
struct SensorBench {
  static let acceleration = SensorStreamRequest(.acceleration, sampleRate: 25, range: 2)
  static let ecg = SensorStreamRequest(.ecg, sampleRate: 130)
  /// The start of the acceleration with 25 Hz, 16 bits and 2 g, and the response of the strap with the factor 1.
  static let start: [UInt8] = [2, 2, 0, 1, 25, 0, 1, 1, 16, 0, 2, 1, 2, 0]
  static let started = SensorEntry.Content.started(
    request: start, response: [0xF0, 2, 2, 0, 0, 5, 1, 0, 0, 0x80, 0x3F])

  let source: SourceBench
  let strap: FakeStrap
  let measurements: FakeMeasurements

  /// `speed`: simulated seconds a real one.
  init(
    speed: Int = 1, _ streams: [SensorStreamRequest] = [acceleration], service: SimulatedMeasurements? = .chestStrap,
    mtu: UInt16 = 517, way: NotificationTransport = .acquire, timing: SensorStreamTiming = .patient,
  ) async throws {
    var strap = FakeStrap()
    strap.mtu = mtu
    if let service { strap.add(service) }
    self.strap = strap
    source = try await SourceBench(
      speed: speed, isPatient: true, straps: [.init(.address(strap.address), way: way, streams: streams)],
      streamTiming: timing)
    measurements = FakeMeasurements(of: strap, on: source.fake)
  }

  var fake: FakeBlueZ { source.fake }

  /// The values that were written to the strap, in order.
  var writes: [[UInt8]] { get async { await fake.world.writes } }

  /// Lets the source listen to the strap until it is live.
  func listen() async {
    await fake.advertise(strap)
    await source.listen()
    await becomeLive()
  }

  /// Lets a strap that is subscribed to be live again.
  func becomeLive() async {
    await fake.subscribed(strap)
    let heard = await source.notified
    await fake.notify(strap, [0, 60])
    await source.wait(notifications: heard + 1)
  }

  /// Lets the source listen until all its streams have started.
  func start(_ streams: Int = 1) async {
    await listen()
    await source.wait { $0.starts() == streams }
  }

  /// Lets the strap notify heart rates and returns whether all of them arrived on the first link.
  func receivesHeartRates() async -> Bool {
    let before = await source.events.notifications()
    let values = (0..<50).map { [0, UInt8(60 + $0)] }
    await fake.play(strap, values)
    await source.wait(notifications: before.count + values.count)
    let events = await source.events
    return events.notifications() == before + values && events.links() == (1, 0)
  }

  /// Returns the next report of a stream that does not run, or `nil` if the test was cancelled.
  func report() async -> SensorStreamReport? {
    await source.reports.first { _ in true }
  }

  static func report(
    _ fault: SensorStreamFault, of measurement: PolarMeasurementType = .acceleration, retry: Duration? = nil,
  ) -> SensorStreamReport {
    SensorStreamReport(strap: 0, measurement: measurement, fault: fault, retry: retry)
  }
}
