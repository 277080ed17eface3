import Testing

@testable import BlueZ

@Suite("Link back-off")
struct LinkBackOffTests {
  /// The table of `LinkBackOff`, in milliseconds.
  private static let table: [([LinkFault], [Int64], Int64)] = [
    ([.transient, .vanished, .linkLost], [250, 500, 1000, 2000, 4000], 4000),
    ([.timedOut, .silence], [1000, 2000, 4000, 8000, 16_000], 30_000),
    ([.noHeartRateService], [1000, 2000, 4000, 8000, 16_000], 60_000),
    ([.wayRefused], [250, 500, 1000, 2000, 4000], 30_000),
    ([.notAuthorised, .noSlot, .refused], [2000, 4000, 8000, 16_000, 32_000], 60_000),
  ]

  @Test func testTable_HasEveryClass() {
    #expect(Set(Self.table.flatMap(\.0)) == Set(LinkFault.allCases))
    #expect(Self.table.flatMap(\.0).count == LinkFault.allCases.count)
  }

  @Test func testWaits_DoubleUpToTheMost() {
    for (faults, waits, most) in Self.table {
      for fault in faults {
        let found = (1...5).map { LinkBackOff.delay(after: fault, attempt: $0, jitter: 0) }
        #expect(found == waits.map { .milliseconds($0) }, "\(fault)")
        for attempt in [10, 64, 1_000_000, Int.max] {
          #expect(LinkBackOff.delay(after: fault, attempt: attempt, jitter: 0) == .milliseconds(most), "\(fault)")
        }
      }
    }
  }

  @Test func testAttemptsThatAreNone_CountAsTheFirst() {
    for attempt in [-1, 0] {
      #expect(LinkBackOff.delay(after: .linkLost, attempt: attempt, jitter: 0) == .milliseconds(250))
    }
  }

  @Test func testJitter_TakesOffUpToAQuarter() {
    for fault in LinkFault.allCases {
      let full = LinkBackOff.delay(after: fault, attempt: 3, jitter: 0)
      #expect(LinkBackOff.delay(after: fault, attempt: 3, jitter: 0.5) == full - full / 8)
      // What is no share is taken for the nearest one.
      for jitter in [1, 2, Double.infinity] {
        #expect(LinkBackOff.delay(after: fault, attempt: 3, jitter: jitter) == full - full / 4)
      }
      #expect(LinkBackOff.delay(after: fault, attempt: 3, jitter: -1) == full)
    }
  }
}
