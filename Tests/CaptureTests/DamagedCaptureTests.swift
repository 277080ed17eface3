import Capture
import TachogramTestKit
import Testing

/// Files with bytes that do not belong, with bytes missing, and with bytes changed.
struct DamagedCaptureTests {
  static let variants =
    FormatVariant.representatives + [FormatVariant.btsnoop[4], FormatVariant.pcap[7], FormatVariant.pcap[9]]

  // MARK: - Garbage

  /// What stands between two records: random bytes, zeros as of a disk block never written, ones, text.
  static let garbage: [[UInt8]] =
    [1, 3, 4, 7, 40, 700].map { SplitMix64.bytes($0, seed: UInt64($0)) }
    + [1, 2, 3, 4, 8, 24, 64, 512].flatMap { [Array(repeating: 0, count: $0), Array(repeating: 0xFF, count: $0)] }
    + [Array("Traceback (most recent call last):\n".utf8)]

  @Test(arguments: variants, garbage)
  func testGarbageBetweenRecords_LosesNothing(_ variant: FormatVariant, garbage: [UInt8]) throws {
    // Given
    let bench = DamageBench(variant, notifications: 5)
    for boundary in bench.boundaries {
      // PacketLogger is told by its first record alone: there is no file header.
      if bench.headerLength == 0, boundary == 0 { continue }
      // When
      let replayed = try ReplayedCapture(bench.replacing(boundary..<boundary, with: garbage))
      // Then
      #expect(replayed.values() == bench.allValues, "at \(boundary)")
      #expect(replayed.summary.damaged == 1)
      #expect(replayed.summary.damages.first?.offset == UInt64(boundary))
      #expect(replayed.summary.damagedBytes == UInt64(garbage.count))
    }
  }

  @Test(arguments: FormatVariant.packetLogger, garbage)
  func testGarbageBeforeAFileWithoutHeader_LosesNothing(_ variant: FormatVariant, garbage: [UInt8]) throws {
    let bench = DamageBench(variant)
    let replayed = try ReplayedCapture(garbage + bench.file)
    #expect(replayed.values() == bench.allValues)
    #expect(replayed.summary.damages.map(\.offset) == [0])
    #expect(replayed.summary.damagedBytes == UInt64(garbage.count))
  }

  /// As where a transfer changes line ends.
  @Test(arguments: variants)
  func testGarbageBehindEveryRecord_LosesNothing(_ variant: FormatVariant) throws {
    // Given
    let bench = DamageBench(variant)
    var file = Array(bench.file[..<bench.boundaries[1]])
    for (start, end) in zip(bench.boundaries.dropFirst(), bench.boundaries.dropFirst(2)) {
      file += [0x0D] + bench.file[start..<end]
    }
    // When
    let replayed = try ReplayedCapture(file)
    // Then
    #expect(replayed.values() == bench.allValues)
    #expect(replayed.summary.damaged == bench.values.count - 1)
  }

  @Test(arguments: variants, [16, 100, 300])
  func testOverwrittenStretch_LosesOnlyWhatItTouches(_ variant: FormatVariant, length: Int) throws {
    // Given
    let bench = DamageBench(variant, notifications: 30)
    for (seed, start) in stride(from: bench.boundaries[4], to: bench.boundaries[20], by: 37).enumerated() {
      let range = start..<(start + length)
      let file = bench.replacing(range, with: SplitMix64.bytes(length, seed: UInt64(seed)))
      // When
      let replayed = try ReplayedCapture(file)
      // Then: what does not touch the stretch is there, and nothing is there twice
      let touched = (bench.packet(at: start) ?? 0)...(bench.packet(at: range.upperBound - 1) ?? 0)
      let untouched = bench.values(without: touched)
      let values = replayed.values()
      #expect(values.filter { untouched.contains($0) } == untouched, "at \(start)")
      #expect(Set(values).count == values.count)
    }
  }

  @Test(arguments: variants)
  func testDeletedStretch_LosesOnlyWhatItTouches(_ variant: FormatVariant) throws {
    let bench = DamageBench(variant, notifications: 20)
    for start in stride(from: bench.boundaries[4], to: bench.boundaries[10], by: 5) {
      for length in [1, 2, 13, 60] {
        let replayed = try ReplayedCapture(bench.replacing(start..<(start + length), with: []))
        let touched = (bench.packet(at: start) ?? 0)...(bench.packet(at: start + length - 1) ?? 0)
        let untouched = bench.values(without: touched)
        #expect(replayed.values().filter { untouched.contains($0) } == untouched, "\(length) at \(start)")
      }
    }
  }

  // MARK: - Cut files

  @Test(arguments: variants)
  func testFileCutAnywhere_GivesAllBeforeTheCut(_ variant: FormatVariant) throws {
    // Given
    let bench = DamageBench(variant, notifications: 4)
    for cut in 0...bench.file.count {
      let file = Array(bench.file[..<cut])
      let whole = bench.boundaries.count { $0 <= cut } - 1
      let expected = bench.values.prefix(max(0, whole)).compactMap(\.self)
      if expected.isEmpty {
        #expect(try ReplayedCapture.failure(file) != nil, "cut at \(cut)")
        continue
      }
      // When
      let replayed = try ReplayedCapture(file)
      // Then
      let isBetweenRecords = bench.boundaries.contains(cut)
      #expect(replayed.values() == expected, "cut at \(cut)")
      #expect(replayed.summary.isTruncated == !isBetweenRecords)
      #expect(replayed.summary.damaged == (isBetweenRecords ? 0 : 1))
      #expect(replayed.summary.damages.first?.offset == (isBetweenRecords ? nil : UInt64(bench.boundaries[whole])))
    }
  }

  @Test(arguments: variants)
  func testGarbageAtTheEnd_IsDamageAndNoCut(_ variant: FormatVariant) throws {
    let bench = DamageBench(variant)
    let replayed = try ReplayedCapture(bench.file + Array(repeating: 0xEE, count: 500))
    #expect(replayed.values() == bench.allValues)
    #expect(replayed.summary.damaged == 1)
    #expect(!replayed.summary.isTruncated)
  }

  // MARK: - Changed bits

  @Test(arguments: variants)
  func testAnyOneBitChanged_LosesAtMostItsRecord(_ variant: FormatVariant) throws {
    // Given
    let bench = DamageBench(variant, notifications: 2)
    for bit in (bench.headerLength * 8)..<(bench.file.count * 8) {
      var file = bench.file
      file[bit / 8] ^= 1 << (bit % 8)
      let packet = bench.packet(at: bit / 8) ?? 0
      // The connection and its discovery may make all the difference; what they were is not said twice.
      if packet < 3 {
        _ = try ReplayedCapture.failure(file)
        continue
      }
      // When
      let values = try ReplayedCapture(file).values()
      // Then
      let others = bench.values(without: packet...packet)
      #expect(values.filter { others.contains($0) } == others, "bit \(bit)")
      #expect(values.count <= others.count + 1)
    }
  }

  @Test(arguments: variants)
  func testAnyOneBitOfTheHeaderChanged_GivesEverythingOrAnError(_ variant: FormatVariant) throws {
    let bench = DamageBench(variant, notifications: 3)
    for bit in 0..<(bench.headerLength * 8) {
      var file = bench.file
      file[bit / 8] ^= 1 << (bit % 8)
      if try ReplayedCapture.failure(file) == nil {
        // A clock whose unit is damaged may show no time at all.
        let replayed = try ReplayedCapture(file)
        #expect(replayed.values() == (replayed.plan.straps.isEmpty ? [] : bench.allValues), "bit \(bit)")
        #expect(replayed.found == bench.allValues.count, "bit \(bit)")
      }
    }
  }
}
