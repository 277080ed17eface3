import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// What a capture holds is what is used and what is left out, however the capture came about.
struct AccountingTests {
  private static let seeds: [UInt64] = Array(0..<20)

  /// What was notified and when, and how links ended, by strap: all of its ledger but the number of the link, since heart rate
  /// on another handle of the same connection is another link.
  private static func ledgers(_ replayed: ReplayedCapture) -> [String: [LedgerEntry]] {
    Dictionary(
      replayed.plan.straps.indices.map { strap in
        let entries = (replayed.entries[strap] ?? []).map { entry in
          var entry = entry
          entry.link = 0
          return entry
        }
        return (replayed.addresses[strap], entries)
      }, uniquingKeysWith: { one, _ in one })
  }

  private static func replayed(_ file: [UInt8]) throws -> ReplayedCapture? {
    if case .noHeartRate? = try ReplayedCapture.failure(file) { return nil }
    return try ReplayedCapture(file)
  }

  @Test(arguments: seeds)
  func testDiscoveredHeartRates_AreAllUsed(_ seed: UInt64) throws {
    let script = LinkScript(seed: seed)
    let replayed = try Self.replayed(script.capture())
    #expect(replayed?.found ?? 0 == script.heartRates)
    #expect(replayed?.plan.straps.reduce(0) { $0 + $1.notifications } ?? 0 == script.heartRates)
  }

  @Test(arguments: seeds)
  func testHandlesDealtAnew_ChangeNothingElse(_ seed: UInt64) throws {
    // Given
    let script = LinkScript(seed: seed)
    guard let plain = try Self.replayed(script.capture()) else { return }
    for deal in [seed, seed + 1000] {
      // When
      let dealt = try #require(try Self.replayed(script.capture(deal: deal)))
      // Then
      #expect(Self.ledgers(dealt) == Self.ledgers(plain))
      #expect(dealt.addresses == plain.addresses)
      for (one, other) in zip(dealt.plan.straps, plain.plan.straps) {
        #expect(one.identity == other.identity)
        #expect(one.leftOut == other.leftOut)
        #expect(one.links.allSatisfy { $0.handleSource == .discovered })
      }
    }
  }

  @Test(arguments: seeds)
  func testAnotherDeviceBetweenThePackets_ChangesNothing(_ seed: UInt64) throws {
    let script = LinkScript(seed: seed)
    guard let plain = try Self.replayed(script.capture()) else { return }
    let mixed = try #require(try Self.replayed(script.capture(strangers: seed)))
    #expect(Self.ledgers(mixed) == Self.ledgers(plain))
    #expect(mixed.plan.straps == plain.plan.straps)
  }
}
