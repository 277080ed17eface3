import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct CaptureClockTests {
  private static let year: Int64 = 365 * 86_400_000_000
  private static let first: Int64 = 4

  /// A connection with discovery, then ten notifications a second apart, with the time of each moved by `shift`.
  private static func script(_ shift: (Int) -> Int64) -> PacketScript {
    var script = PacketScript()
    script.connect()
    script.discover()
    for index in 0..<10 {
      script.time = PacketScript.start + 10_000_000 + Int64(index) * 1_000_000 + shift(index)
      script.notify([0x06, UInt8(index)])
    }
    return script
  }

  /// From each entry to the next, in microseconds.
  private static func steps(_ replayed: ReplayedCapture) -> [Int64] {
    let times = (replayed.entries[0] ?? []).map(\.monotonic)
    return zip(times, times.dropFirst()).map { $1.microseconds(since: $0) }
  }

  // MARK: - Clocks that step

  @Test(arguments: FormatVariant.representatives)
  func testStepBackwards_GoesOnFromTheLastInstant(_ variant: FormatVariant) throws {
    // Given: an hour back at the sixth notification
    let script = Self.script { $0 >= 5 ? -3_600_000_000 : 0 }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(Self.steps(replayed) == [1, 1, 1, 1, 0, 1, 1, 1, 1].map { $0 * 1_000_000 })
    #expect(replayed.entries[0]?.map(\.wall.microseconds) == script.packets.suffix(10).map(\.time))
    #expect(replayed.summary.clockSteps == 1)
    #expect(replayed.summary.damaged == 0)
  }

  @Test(arguments: FormatVariant.representatives)
  func testRecordsSlightlyOutOfOrder_HoldTheLastInstant(_ variant: FormatVariant) throws {
    // Given: the sixth notification is timed 1.4 s early, before the fifth
    let script = Self.script { $0 == 5 ? -1_400_000 : 0 }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(
      Self.steps(replayed) == [
        1_000_000, 1_000_000, 1_000_000, 1_000_000, 0, 2_000_000, 1_000_000, 1_000_000, 1_000_000,
      ])
    #expect(replayed.summary.clockSteps == 0)
  }

  /// A Raspberry Pi has no clock of its own: it begins in 1970 or where it stopped, until the network tells the time.
  @Test(arguments: FormatVariant.representatives, [year / 365, 2 * year, 30 * year])
  func testStepForwards_LosesNothing(_ variant: FormatVariant, step: Int64) throws {
    // Given
    let script = Self.script { $0 >= 5 ? step : 0 }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.values().count == 10)
    #expect(replayed.summary.damaged == 0)
    #expect(Self.steps(replayed)[4] == 1_000_000 + step)
  }

  @Test(arguments: FormatVariant.representatives)
  func testRareRecords_LoseNothing(_ variant: FormatVariant) throws {
    let script = Self.script { Int64($0) * 7_200_000_000 }
    let replayed = try ReplayedCapture(variant.wrap(script))
    #expect(replayed.values().count == 10)
    #expect(replayed.summary.damaged == 0)
  }

  // MARK: - Times that are damaged

  @Test(arguments: FormatVariant.representatives, [-year, -60_000_000, 60_000_000, year])
  func testOneTimeApartFromItsNeighbours_IsDamage(_ variant: FormatVariant, error: Int64) throws {
    // Given
    let script = Self.script { $0 == 5 ? error : 0 }
    // When
    let replayed = try ReplayedCapture(variant.wrap(script))
    // Then
    #expect(replayed.values() == [0, 1, 2, 3, 4, 6, 7, 8, 9].map { [0x06, $0] })
    #expect(Self.steps(replayed) == [1, 1, 1, 1, 2, 1, 1, 1].map { $0 * 1_000_000 })
    #expect(replayed.summary.damages.map(\.problem) == ["time apart from its neighbours'"])
    #expect(replayed.summary.clockSteps == 0)
  }

  @Test(arguments: FormatVariant.representatives, [-2 * year, 2 * year])
  func testTimeOfTheLastRecordFarApart_IsDamage(_ variant: FormatVariant, error: Int64) throws {
    let replayed = try ReplayedCapture(variant.wrap(Self.script { $0 == 9 ? error : 0 }))
    #expect(replayed.values().count == 9)
    #expect(replayed.summary.damaged == 1)
  }

  @Test func testTimeThatNoClockShows_IsDamage() throws {
    // Given: a timestamp of pcapng beyond the year 9999
    var builder = PcapngBuilder()
    builder.section(isBigEndian: false)
    builder.interface(linkType: 187, resolution: 0)
    let records = CaptureWrapping.records(Self.script { _ in 0 }, linkType: 187)
    for (index, record) in records.enumerated() {
      if index == 8 {
        let length = builder.word(UInt32(record.data.count))
        builder.block(
          6, builder.word(0) + builder.word(0xFF) + builder.word(.max) + length + length + record.data)
      } else {
        builder.packet(record)
      }
    }
    // When
    let replayed = try ReplayedCapture(builder.bytes)
    // Then
    #expect(replayed.values().count == 9)
    #expect(replayed.summary.damages.map(\.problem) == ["packet of a time that no clock shows"])
  }
}
