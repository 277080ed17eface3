import DBus
import FakeBlueZ
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

@Suite("Contract of the radio source", .timeLimit(.minutes(5)))
struct RadioSourceContractTests {
  /// What is known of why links ended.
  enum Knowledge: CaseIterable, Sendable {
    /// The kernel cannot be asked.
    case none
    case atOnce
    /// The kernel tells after the bus.
    case late
    /// The kernel tells nothing.
    case never
  }

  private static let straps = [FakeStrap(number: 1), FakeStrap(number: 2)]

  /// Values of a link: each twice, since equal values are legitimate.
  private static func values(_ strap: Int, link: Int) -> [[UInt8]] {
    (0..<40).map { [0, UInt8(60 + 20 * strap + 10 * link), UInt8($0 / 2)] }
  }

  @Test(arguments: NotificationTransport.allCases, Knowledge.allCases)
  func testSource_KeepsTheContract(way: NotificationTransport, knowledge: Knowledge) async throws {
    try await RadioSourceContract { try await Self.subject(way, knowledge) }.check()
  }

  private static func subject(_ way: NotificationTransport, _ knowledge: Knowledge) async throws -> RadioSourceSubject {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    var options = BlueZSourceOptions(straps: straps.map { .init(.address($0.address), way: way) })
    options.bus = .address(bus.address)
    options.timing = .patient
    // Slowly, since the half second in which the bus may be later than the socket has to be longer than the machine is busy.
    let time = ScaledTimeSource(factor: 2)
    let source = BlueZRadioSource(options, time: time, reasons: ScriptedReasons(knowledge, time: time))
    for strap in straps { await fake.advertise(strap) }
    return RadioSourceSubject(
      source: source,
      values: Dictionary(uniqueKeysWithValues: straps.indices.map { ($0, values($0, link: 0) + values($0, link: 1)) })
    ) { heard in
      let subscribing = way == .acquire ? "AcquireNotify" : "StartNotify"
      var count = 0
      for link in 0...1 {
        for (number, strap) in straps.enumerated() {
          await fake.subscribed(strap)
          count += await fake.play(strap, values(number, link: link))
        }
        await heard(count)
        guard link == 0 else { break }
        let asked = await fake.calls(of: subscribing)
        for strap in straps { await fake.dropLink(strap) }
        // The daemon subscribes a client of the link before anew by itself, and sooner than that listens again.
        _ = await fake.waitUntil { $0.calls[subscribing, default: 0] >= asked + straps.count }
      }
    } released: {
      _ = await fake.waitUntil { world in
        !world.isDiscovering && !straps.contains { world.isConnected($0) }
      }
      await fake.stop()
      bus.close()
    }
  }

  // MARK: - Reasons

  @Test(arguments: Knowledge.allCases)
  func testReason_IsToldWithTheEndOfTheLinkWheneverItComes(knowledge: Knowledge) async throws {
    let subject = try await Self.subject(.acquire, knowledge)
    var reasons: [UInt8] = []
    let heard = TestSignal()
    let playing = Task {
      try await subject.play { count in await heard.wait(for: count) }
      await subject.source.stop()
    }
    for await event in subject.source.events() {
      if case .notification = event.content { await heard.raise() }
      if case .linkDown(let reason) = event.content { reasons.append(reason) }
    }
    try await playing.value
    try await subject.released()
    let expected: UInt8 = knowledge == .atOnce || knowledge == .late ? 0x13 : 0
    #expect(reasons == [expected, expected, 0x16, 0x16])
  }
}

/// A kernel that knows as much as it is told to.
private struct ScriptedReasons: DisconnectReasonProtocol {
  private let knowledge: RadioSourceContractTests.Knowledge
  private let time: any TimeSourceProtocol

  init?(_ knowledge: RadioSourceContractTests.Knowledge, time: any TimeSourceProtocol) {
    if knowledge == .none { return nil }
    self.knowledge = knowledge
    self.time = time
  }

  func reason(of strap: BluetoothAddress) -> UInt8? { knowledge == .atOnce ? 0x13 : nil }

  func reason(of strap: BluetoothAddress, until due: MonotonicTime) async -> UInt8? {
    let wait = knowledge == .late ? due.advanced(byMicroseconds: -50_000) : due
    try? await time.sleep(until: wait)
    return knowledge == .late ? 0x13 : nil
  }
}
