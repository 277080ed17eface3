import Testing

@testable import Station

struct SnapshotIntervalTests {
  @Test func testInterval_GrowsWithTheDatabase() async throws {
    let snapshots = try ConfigurationLoader(file: nil, environment: [:]).load().snapshots
    let day: Duration = .seconds(86_400)
    #expect(snapshots.interval(bytes: 0) == day)
    #expect(snapshots.interval(bytes: 500_000_000) == day)
    #expect(snapshots.interval(bytes: 2_800_000_000) == day * 28 / 5)
    #expect(snapshots.interval(bytes: .max) == day * 36_525)
  }
}
