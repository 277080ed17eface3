import Testing

@testable import MQTT

struct MQTTEventQueueTests {
  private static func message(_ number: Int) -> MQTTEvent {
    .received(topic: "t/\(number)", payload: Array(repeating: 0, count: 1_000), isRetained: true)
  }

  @Test func testMessagesBeyondTheLimit_DropTheOldestMessagesAndNoConnection() async {
    let queue = MQTTEventQueue()
    var dropped = queue.append(.connected)
    for number in 0..<5_000 { dropped += queue.append(Self.message(number)) }
    dropped += queue.append(.subscriptionRefused(filter: "t"))
    queue.end()
    var events: [MQTTEvent] = []
    for await event in queue.stream { events.append(event) }
    #expect(events.first == .connected)
    #expect(events.last == .subscriptionRefused(filter: "t"))
    let kept = events.count - 2
    #expect(kept + dropped == 5_000)
    #expect((900...1_000).contains(kept), "about 1 MiB of messages of 1 kB: \(kept)")
    #expect(Array(events.dropFirst().dropLast()) == (5_000 - kept..<5_000).map(Self.message))
  }

  @Test func testConnectionEventsWithoutAReader_AreBounded() {
    let queue = MQTTEventQueue()
    let dropped = (0..<100_000).reduce(0) { total, _ in total + queue.append(.connected) }
    #expect(dropped == 100_000 - MQTTEventQueue.limit / 64)
  }

  @Test func testReaderThatWaits_IsGivenEachEventAndTheEnd() async {
    let queue = MQTTEventQueue()
    let reading = Task { await queue.stream.reduce(into: [MQTTEvent]()) { $0.append($1) } }
    for number in 0..<100 {
      #expect(queue.append(Self.message(number)) == 0)
      await Task.yield()
    }
    queue.end()
    #expect(await reading.value == (0..<100).map(Self.message))
  }

  @Test func testCancelledReader_Ends() async {
    let queue = MQTTEventQueue()
    let reading = Task { await queue.stream.reduce(into: 0) { count, _ in count += 1 } }
    reading.cancel()
    #expect(await reading.value == 0)
    #expect(queue.append(.connected) == 1)
  }
}
