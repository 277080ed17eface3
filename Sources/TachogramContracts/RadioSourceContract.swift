import TachogramCore
import Testing

/// The behaviour of every `RadioSourceProtocol`. Run `check()` against each implementation, including the fakes.
///
/// Each check uses a new source. If a stream does not end, its check does not return: run it with a time limit.
package struct RadioSourceContract: Sendable {
  private let makeSubject: @Sendable () async throws -> RadioSourceSubject

  /// Creates a contract. `makeSubject` creates a source without a listener.
  package init(makeSubject: @escaping @Sendable () async throws -> RadioSourceSubject) {
    self.makeSubject = makeSubject
  }

  /// Checks the whole contract.
  package func check() async throws {
    try await checkValuesComeWholeAndInOrder()
    try await checkStopEndsTheStreamInOrder()
    try await checkStopCanBeRepeated()
    try await checkStopBeforeListeningEndsTheSource()
    try await checkListenerThatGoesAwayStopsTheSource()
  }

  // MARK: - Reporting

  package func checkValuesComeWholeAndInOrder() async throws {
    let subject = try await makeSubject()
    let listener = StrapEventListener()
    await listener.listen(to: subject.source)
    try await subject.play(listener.heard)
    await listener.wait { counts in subject.values.allSatisfy { counts[$0, default: 0] >= $1.count } }
    // A source with an end needs no `stop()`.
    if !subject.endsByItself { await subject.source.stop() }
    let events = await listener.end()
    await subject.source.stop()
    try await subject.released()
    expectOrder(events)
    #expect(Set(events.map(\.strap)) == Set(subject.values.keys))
    for (strap, values) in subject.values {
      let heard = notifications(of: strap, in: events)
      // Compared one by one: an expectation on the whole would print the whole.
      #expect(zip(heard, values).allSatisfy { $0 == $1 }, "strap \(strap) told other values than it notified")
      #expect(subject.repeats ? heard.count >= values.count : heard.count == values.count)
    }
  }

  // MARK: - The end

  package func checkStopEndsTheStreamInOrder() async throws {
    let subject = try await makeSubject()
    let listener = StrapEventListener()
    await listener.listen(to: subject.source)
    try await subject.play(listener.heard)
    await listener.wait { counts in counts.values.contains { $0 > 0 } }
    await subject.source.stop()
    let events = await listener.end()
    try await subject.released()
    expectOrder(events)
    for (strap, values) in subject.values where !subject.repeats {
      let heard = notifications(of: strap, in: events)
      #expect(heard.count <= values.count && zip(heard, values).allSatisfy { $0 == $1 })
    }
  }

  package func checkStopCanBeRepeated() async throws {
    let subject = try await makeSubject()
    let listener = StrapEventListener()
    await listener.listen(to: subject.source)
    async let first: Void = subject.source.stop()
    async let second: Void = subject.source.stop()
    await first
    await second
    await subject.source.stop()
    expectOrder(await listener.end())
    await subject.source.stop()
    try await subject.released()
  }

  package func checkStopBeforeListeningEndsTheSource() async throws {
    let subject = try await makeSubject()
    await subject.source.stop()
    let listener = StrapEventListener()
    await listener.listen(to: subject.source)
    // The stream ends because the source has.
    expectOrder(await listener.end())
    try await subject.released()
  }

  package func checkListenerThatGoesAwayStopsTheSource() async throws {
    let subject = try await makeSubject()
    let listener = StrapEventListener()
    await listener.listen(to: subject.source)
    try await subject.play(listener.heard)
    await listener.wait { counts in counts.values.contains { $0 > 0 } }
    await listener.leave()
    // Without `stop`.
    try await subject.released()
    await subject.source.stop()
  }

  // MARK: - The order of the events

  private func notifications(of strap: Int, in events: [StrapEvent]) -> [[UInt8]] {
    events.compactMap { event in
      if event.strap == strap, case .notification(let value) = event.content { value } else { nil }
    }
  }

  /// Checks the order of events of a source whose stream was read to its end.
  private func expectOrder(_ events: [StrapEvent]) {
    for (strap, events) in Dictionary(grouping: events, by: \.strap) {
      var isKnown = false
      var isUp = false
      var isDismissed = false
      for event in events {
        #expect(!isDismissed, "strap \(strap) tells something after it was dismissed")
        switch event.content {
        case .identified: isKnown = true
        // The state of a link can be reported for a strap that has not been found yet.
        case .state: break
        case .signal: #expect(isKnown, "strap \(strap) is heard before it is identified")
        case .linkUp:
          #expect(isKnown, "strap \(strap) has a link before it is identified")
          #expect(!isUp, "strap \(strap) has a link before the end of the one before")
          isUp = true
        case .notification: #expect(isUp, "strap \(strap) notifies without a link")
        case .sensor: #expect(isUp, "strap \(strap) sends measurements without a link")
        case .linkDown:
          #expect(isUp, "strap \(strap) loses a link that it does not have")
          isUp = false
        case .dismissed:
          #expect(!isUp, "strap \(strap) is dismissed before the end of its link")
          isDismissed = true
        }
      }
      #expect(!isUp, "the link of strap \(strap) is up at the end")
      #expect(
        zip(events, events.dropFirst()).allSatisfy { $0.monotonic <= $1.monotonic },
        "the times of strap \(strap) decrease")
    }
  }
}
