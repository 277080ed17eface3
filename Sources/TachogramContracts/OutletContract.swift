import Outlets
import Synchronization
import TachogramCore
import Testing

/// The behaviour of every `OutletProtocol`. Run `check()` with a new subject.
package struct OutletContract: Sendable {
  private let subject: any OutletSubject

  package init(_ subject: any OutletSubject) {
    self.subject = subject
  }

  /// Checks the whole contract.
  package func check() async throws {
    try await startAndStop()
    try await restart()
    for peer in [OutletPeer.dead, .stalled] {
      try await endsWithoutPeer(peer)
      try await backlogIsBounded(peer)
    }
  }

  package static func reading(strap: Int = 0, heartRate: Int, isCurrent: Bool = true) -> OutletReading {
    var reading = OutletReading(
      strap: strap, name: "Polar H10", time: WallTime(microseconds: 1_774_742_400_000_000 + Int64(heartRate)),
      isCurrent: isCurrent)
    reading.address = "C8:DE:AD:BE:EF:0\(strap)"
    reading.heartRate = heartRate
    return reading
  }

  package static func beats(strap: Int = 0, from first: Int64, count: Int64) -> [OutletBeat] {
    (first..<first + count).map { number in
      OutletBeat(
        strap: strap, session: "5f0c8c9e-3b1a-4c5e-9d7f-000000000001", sequence: number,
        time: WallTime(microseconds: 1_774_742_400_000_000 + number * 800_000), interval: 800, isMarked: false,
        followsGap: false)
    }
  }

  /// What waits when an outlet starts is sent, and so is what follows; a mailbox that has ended ends the outlet.
  private func startAndStop() async throws {
    let run = try await OutletRun(subject.outlet(for: .working, sleep: OutletRun.yield))
    run.mailbox.put(Self.reading(heartRate: 61))
    #expect(await subject.hasReceived(heartRate: 61))
    run.mailbox.put(Self.reading(strap: 1, heartRate: 62))
    #expect(await subject.hasReceived(heartRate: 62))
    await run.end()
    #expect(run.reports.contains(.working))
  }

  /// A peer that is away for a while receives again, without help.
  private func restart() async throws {
    let run = try await OutletRun(subject.outlet(for: .working, sleep: OutletRun.yield))
    run.mailbox.put(Self.reading(strap: 2, heartRate: 63))
    #expect(await subject.hasReceived(heartRate: 63))
    try await subject.restartPeer()
    // What is current goes on changing.
    let sending = Task {
      var number = 0
      while !Task.isCancelled {
        run.mailbox.put(Self.reading(strap: 3 + number % 2, heartRate: 64, isCurrent: number % 4 < 2))
        run.mailbox.put(Self.beats(strap: 3 + number % 2, from: Int64(number), count: 1))
        number += 1
        await OutletRun.yield(.zero)
      }
    }
    #expect(await subject.hasReceived(heartRate: 64))
    sending.cancel()
    await run.end()
  }

  private func endsWithoutPeer(_ peer: OutletPeer) async throws {
    let run = try await OutletRun(subject.outlet(for: peer, sleep: OutletRun.yield))
    run.mailbox.put(Self.reading(heartRate: 65))
    run.mailbox.put(Self.beats(from: 0, count: 10))
    await run.end()
  }

  /// However long the peer is away, the sender is never delayed, and what waits is bounded and counted.
  private func backlogIsBounded(_ peer: OutletPeer) async throws {
    let outlet = try await subject.outlet(for: peer, sleep: OutletRun.yield)
    let mailbox = OutletMailbox(wantsBeats: outlet.wantsBeats)
    // Nothing reads it: as if the outlet hung.
    for place in 0..<50 { mailbox.put(Self.beats(from: Int64(place) * 1_000, count: 1_000)) }
    for number in 0..<1_000 { mailbox.put(Self.reading(strap: number % 4, heartRate: 60 + number % 50)) }
    #expect(mailbox.droppedBeats == (outlet.wantsBeats ? 50_000 - 4096 : 0))
    let run = OutletRun(outlet, mailbox)
    await run.end()
  }
}
