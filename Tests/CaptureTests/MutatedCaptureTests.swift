import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// Files that are changed at random: whatever they have become, they are read to their end.
struct MutatedCaptureTests {
  static let variants =
    FormatVariant.representatives + [FormatVariant.btsnoop[0], FormatVariant.btsnoop[4], FormatVariant.pcap[9]]

  private static func mutate(_ file: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var file = file
    for _ in 0...Int.random(in: 0...6, using: &random) {
      let start = Int.random(in: 0..<file.count, using: &random)
      let end = min(file.count, start + Int.random(in: 1...200, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: file[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: file[start] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 2: file.removeSubrange(start..<end)
      case 3: file.insert(contentsOf: file[start..<end], at: Int.random(in: 0...file.count, using: &random))
      case 4: file.insert(contentsOf: SplitMix64.bytes(end - start, seed: random.next()), at: start)
      case 5: file.replaceSubrange(start..<end, with: Array(repeating: 0, count: end - start))
      default: file.removeSubrange(end...)
      }
      if file.count < 100 { break }
    }
    return file
  }

  @Test(arguments: variants, 0..<8)
  func testMutatedFiles_AreReadToTheEnd(_ variant: FormatVariant, round: Int) throws {
    // Given
    var random = SplitMix64(seed: UInt64(round))
    let bench = DamageBench(variant, notifications: 40)
    for _ in 0..<6 {
      let file = Self.mutate(bench.file, &random)
      // When
      guard try ReplayedCapture.failure(file) == nil else { continue }
      let replayed = try ReplayedCapture(file)
      // Then: what the first pass counts is what the second one gives, and no more than the file can hold
      #expect(replayed.found == replayed.entries.values.joined().count { $0.notification != nil } + replayed.allLeftOut)
      #expect(replayed.summary.damagedBytes <= UInt64(file.count))
      #expect(replayed.summary.damages.count == min(replayed.summary.damaged, CaptureSummary.describedDamages))
      for (strap, entries) in replayed.entries {
        #expect(entries.map(\.sequence) == Array(0..<Int64(entries.count)))
        #expect(replayed.plan.straps[strap].notifications == replayed.values(strap).count)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.monotonic <= $1.monotonic })
      }
    }
  }

  @Test(arguments: SnifferVariant.allCases, 0..<4)
  func testMutatedSnifferFiles_AreReadToTheEnd(_ sniffer: SnifferVariant, round: Int) throws {
    var random = SplitMix64(seed: UInt64(100 + round))
    let file = sniffer.capture(.session())
    for _ in 0..<10 { _ = try ReplayedCapture.failure(Self.mutate(file, &random)) }
  }

  @Test(arguments: 0..<20)
  func testBytesOfAnyKind_AreNoCaptureOrHaveNoHeartRate(_ round: Int) throws {
    for header in DamagedCaptureTests.variants.map({ DamageBench($0, notifications: 0).file }) + [[]] {
      let bytes = header.prefix(28) + SplitMix64.bytes(2000, seed: UInt64(round))
      #expect(try ReplayedCapture.failure(Array(bytes)) != nil)
    }
  }
}
