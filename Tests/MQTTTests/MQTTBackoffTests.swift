import MQTT
import Testing

struct MQTTBackoffTests {
  @Test func testPauses_GrowToAMinuteAndBeginAgainAfterAStableConnection() {
    var backoff = MQTTBackoff()
    #expect(
      (0..<9).map { _ in backoff.next(connected: nil, random: 0.5) }
        == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(backoff.next(connected: .seconds(9), random: 0.5) == .seconds(60))
    #expect(backoff.next(connected: .seconds(10), random: 0.5) == .seconds(1))
    #expect(backoff.next(connected: nil, random: 0.5) == .seconds(2))
  }

  @Test func testPauses_AreSpreadAndNeverLongerThanAMinute() {
    var (low, high) = (MQTTBackoff(), MQTTBackoff())
    #expect((low.next(connected: nil, random: 0) - .milliseconds(800)).magnitude < .microseconds(1))
    #expect((high.next(connected: nil, random: 1) - .milliseconds(1200)).magnitude < .microseconds(1))
    for _ in 0..<100 {
      #expect(low.next(connected: nil, random: 0) >= .milliseconds(799))
      #expect(high.next(connected: nil, random: 1) <= .seconds(60))
    }
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
