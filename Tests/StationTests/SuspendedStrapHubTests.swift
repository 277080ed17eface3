import Outlets
import Recording
import TachogramCore
import Testing

@testable import Dashboard
@testable import Station

/// What is published of a strap whose recording was stopped.
struct SuspendedStrapHubTests {
  @Test func testStoppedStrap_IsPublished_WithoutASession() async throws {
    let strap = try HeardStrap()
    let hub = strap.hub
    try await strap.run {
      await strap.beat(seconds: 60)
      #expect(hub.running.count == 1 && hub.watched().map(\.isInSession) == [true])
      await strap.recorder.record(false, strap: 0)
      #expect(hub.running.isEmpty)
      _ = try await strap.delivery()

      await strap.beat(seconds: 60)
      let reading = try #require(hub.live().readings.first)
      #expect(reading.session == nil && reading.start == nil && reading.heartRate == 60)
      #expect(reading.person == "Anna" && (reading.minute?.beats ?? 0) > 30 && !reading.beats.isEmpty)
      #expect(hub.running.isEmpty && hub.watched().map(\.isInSession) == [false])
      #expect(hub.session(of: strap.identity.address) == nil)
      let delivery = try await strap.delivery()
      #expect(delivery.readings.map(\.session) == [nil] && delivery.readings.map(\.heartRate) == [60])
      #expect(delivery.beats.map(\.sequence) == Array(0..<60))

      await strap.recorder.record(true, strap: 0)
      await strap.beat(seconds: 1)
      #expect(hub.running.count == 1 && hub.live().readings.first?.session == hub.running.first)
    }
  }
}
