import GATT
import TachogramCore
import TachogramTestKit

/// A strap that notifies one beat a simulated second, whether anybody listens or not.
struct TrialPlayer: Sendable {
  let station: TrialStation
  let strap: FakeStrap

  /// Plays until the task is cancelled, or `count` were sent. Returns how many were told to somebody.
  @discardableResult
  func play(count: Int = .max) async -> Int {
    let value = HeartRateMeasurementCodec.encode(
      HeartRateMeasurement(heartRate: 60, rrIntervals: RRIntervals([RRInterval(ticks: 1024)])))
    var due = station.time.now().monotonic
    var told = 0
    var sent = 0
    while sent < count, !Task.isCancelled {
      due = due.advanced(byMicroseconds: 1_000_000)
      do { try await station.time.sleep(until: due) } catch { break }
      if await station.fake.notify(strap, value) { told += 1 }
      sent += 1
    }
    return told
  }
}
