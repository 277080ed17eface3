import Testing

@testable import MQTT

struct OutgoingQueueTests {
  private let now = ContinuousClock.now

  private func queue(count: Int = 4, bytes: Int = 1 << 20, lifetime: Duration? = nil) -> OutgoingQueue {
    var limits = MQTTQueueLimits()
    (limits.count, limits.bytes, limits.lifetime) = (count, bytes, lifetime)
    return OutgoingQueue(limits: limits)
  }

  private func live(_ text: String) -> MQTTMessage { MQTTMessage(topic: "live", text: text) }
  private func last(_ topic: String, _ text: String) -> MQTTMessage {
    MQTTMessage(topic: topic, text: text, isRetained: true)
  }

  private func drain(_ queue: inout OutgoingQueue, at time: ContinuousClock.Instant? = nil) -> [String] {
    var texts: [String] = []
    while let entry = queue.popFirst(now: time ?? now) {
      texts.append(String(decoding: entry.message.payload, as: UTF8.self))
    }
    return texts
  }

  @Test func testOrder_IsThatOfPublishing() {
    var queue = queue(count: 10)
    for message in [live("1"), last("a", "2"), live("3"), last("b", "4")] { _ = queue.append(message, now: now) }
    #expect(drain(&queue) == ["1", "2", "3", "4"])
    #expect(queue.bytes == 0)
  }

  /// In bursts that are taken in part.
  @Test(arguments: [1, 2, 63, 64, 65, 200])
  func testMessages_LeaveInTheirOrder(burst: Int) {
    var queue = queue(count: 10_000)
    var (next, expected) = (0, 0)
    for round in 0..<20 {
      for _ in 0..<burst {
        _ = queue.append(live("\(next)"), now: now)
        next += 1
      }
      for _ in 0..<(round % 2 == 0 ? burst / 2 : burst) {
        #expect(queue.popFirst(now: now)?.message == live("\(expected)"))
        expected += 1
      }
      #expect(queue.count == next - expected)
    }
    #expect(drain(&queue) == (expected..<next).map(String.init))
    #expect(queue.isEmpty)
  }

  @Test func testLastValue_ReplacesTheEarlierOneOfItsTopic() {
    var queue = queue(count: 10)
    for message in [last("a", "1"), live("2"), last("b", "3"), last("a", "4")] { _ = queue.append(message, now: now) }
    #expect(queue.count == 3)
    #expect(queue.replaced == 1)
    #expect(drain(&queue) == ["2", "3", "4"])
    #expect(queue.bytes == 0)
  }

  @Test func testFullQueue_DropsTheOldestLiveMessage() {
    var queue = queue(count: 3)
    #expect(queue.append(last("a", "1"), now: now) == .queued(dropped: 0))
    #expect(queue.append(live("2"), now: now) == .queued(dropped: 0))
    #expect(queue.append(live("3"), now: now) == .queued(dropped: 0))
    #expect(queue.append(live("4"), now: now) == .queued(dropped: 1))
    #expect(queue.append(last("b", "5"), now: now) == .queued(dropped: 1))
    #expect(queue.dropped == 2)
    #expect(drain(&queue) == ["1", "4", "5"])
  }

  @Test func testQueueFullOfLastValues_DropsANewLiveMessageButNotANewLastValue() {
    var queue = queue(count: 2)
    _ = queue.append(last("a", "1"), now: now)
    _ = queue.append(last("b", "2"), now: now)
    #expect(queue.append(live("3"), now: now) == .dropped)
    #expect(queue.append(last("c", "4"), now: now) == .queued(dropped: 1))
    #expect(drain(&queue) == ["2", "4"])
  }

  @Test func testSize_IsLimitedToo() {
    let message = live(String(repeating: "x", count: 1000))
    var queue = queue(count: 100, bytes: 3 * message.size)
    for _ in 0..<10 { _ = queue.append(message, now: now) }
    #expect(queue.count == 3)
    #expect(queue.bytes == 3 * message.size)
    #expect(queue.dropped == 7)
  }

  @Test func testOldLiveMessages_ExpireAndLastValuesDoNot() {
    var queue = queue(count: 10, lifetime: .seconds(30))
    _ = queue.append(live("1"), now: now)
    _ = queue.append(last("a", "2"), now: now)
    _ = queue.append(live("3"), now: now + .seconds(20))
    #expect(drain(&queue, at: now + .seconds(31)) == ["2", "3"])
    #expect(queue.expired == 1)
  }

  @Test func testRepeatedMessages_ComeFirstUnlessANewerLastValueExists() {
    var queue = queue(count: 10)
    for message in [last("a", "1"), last("b", "2"), live("3"), live("4")] { _ = queue.append(message, now: now) }
    let sent = (0..<3).compactMap { _ in queue.popFirst(now: now) }
    _ = queue.append(last("a", "5"), now: now)
    queue.repeat(sent)
    #expect(drain(&queue) == ["2", "3", "4", "5"])
    #expect(queue.bytes == 0)
  }

  @Test func testManyReplacements_DoNotGrowTheQueue() {
    var queue = queue(count: 1000)
    for number in 0..<100_000 { _ = queue.append(last("t/\(number % 3)", "\(number)"), now: now) }
    #expect(queue.count == 3)
    #expect(drain(&queue) == ["99997", "99998", "99999"])
  }

  /// Against a plain model, for many random sequences.
  @Test(arguments: 0..<50)
  func testRandomSequences_AgreeWithAModel(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var queue = queue(count: 5)
    var model: [MQTTMessage] = []
    for number in 0..<400 {
      if random(3) == 0 {
        let expected = model.isEmpty ? nil : model.removeFirst()
        #expect(queue.popFirst(now: now)?.message == expected)
        continue
      }
      let message = random(2) == 0 ? live("\(number)") : last("t/\(random(4))", "\(number)")
      _ = queue.append(message, now: now)
      if message.isRetained { model.removeAll { $0.isRetained && $0.topic == message.topic } }
      model.append(message)
      if model.count > 5 { model.remove(at: model.firstIndex { !$0.isRetained } ?? 0) }
      #expect(queue.count == model.count)
      #expect(queue.bytes == model.reduce(0) { $0 + $1.size })
    }
    #expect(drain(&queue) == model.map { String(decoding: $0.payload, as: UTF8.self) })
  }
}
