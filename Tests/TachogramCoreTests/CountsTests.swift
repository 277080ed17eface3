import TachogramCore
import Testing

struct CountsTests {
  @Test func testLeftOut_IsAddedByReason() {
    var counts = LeftOutCounts()
    #expect(counts.total == 0 && counts.description.isEmpty)
    counts[.withoutTime] = 60
    var others = LeftOutCounts()
    others[.withoutTime] = 1
    others[.beforeDiscovery] = 2
    counts.add(others)
    #expect(counts.total == 63 && counts[.withoutTime] == 61 && counts[.beforeDiscovery] == 2)
    #expect(counts.reasons.map(\.count).reduce(0, +) == counts.total)
    counts[.withoutTime] = 0
    #expect(counts == others.without(.withoutTime))
  }

  @Test func testClasses_AreNormalOrArtifacts() {
    var counts = BeatClassCounts()
    for (place, beatClass) in BeatClass.allCases.enumerated() { counts[beatClass] = 1 << place }
    #expect(counts.total == (1 << BeatClass.allCases.count) - 1)
    #expect(counts.artifacts == counts.total - counts[.normal])
    var other = counts
    other[.ectopic] += 1
    #expect(other != counts)
  }
}

extension LeftOutCounts {
  fileprivate func without(_ reason: LeftOutReason) -> LeftOutCounts {
    var counts = self
    counts[reason] = 0
    return counts
  }
}
