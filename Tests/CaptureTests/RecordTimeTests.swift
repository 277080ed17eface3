import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// Records without a time, and times that are none.
struct RecordTimeTests {
  private static let first = 3

  /// A connection with discovery, then notifications a second apart.
  private static func script(_ count: Int = 10) -> PacketScript {
    var script = PacketScript()
    script.interval = 1_000_000
    script.connect()
    script.discover()
    for index in 0..<count { script.notify([0x16, UInt8(60 + index), 0, 4]) }
    return script
  }

  private static func records(_ edit: (Int, inout CaptureWrapping.Record) -> Void) -> [CaptureWrapping.Record] {
    script().packets.enumerated().map { index, packet in
      var record = CaptureWrapping.btsnoopRecord(packet)
      edit(index - first, &record)
      return record
    }
  }

  private func indices(_ replayed: ReplayedCapture) -> [Int] {
    replayed.values().map { Int($0[1]) - 60 }
  }

  // MARK: - No time

  @Test func testSimplePackets_HaveNoTime() throws {
    let file = PcapngBuilder.file(
      CaptureWrapping.records(Self.script(), linkType: 201), linkType: 201, block: .simple)
    let replayed = try ReplayedCapture(file)
    #expect(replayed.plan.straps.isEmpty)
    #expect(replayed.plan.unusableStraps.map { $0.leftOut[.withoutTime] } == [10])
    #expect(replayed.summary.recordsWithoutTime == replayed.summary.records)
    #expect(replayed.summary.firstWithoutTime == 80)
  }

  @Test func testSimplePacketsAmongOthers_AreLeftOut() throws {
    var builder = PcapngBuilder()
    builder.section(isBigEndian: false)
    builder.interface(linkType: 201)
    for (index, record) in CaptureWrapping.records(Self.script(), linkType: 201).enumerated() {
      builder.packet(record, block: [5, 6, 9].contains(index - Self.first) ? .simple : .enhanced)
    }
    let replayed = try ReplayedCapture(builder.bytes)
    #expect(indices(replayed) == [0, 1, 2, 3, 4, 7, 8])
    #expect(replayed.leftOut()[.withoutTime] == 3)
    #expect(replayed.summary.recordsWithoutTime == 3)
    #expect(replayed.summary.damaged == 0)
  }

  /// Zero, in the count from the year 0 and in the one from 1970.
  @Test(arguments: [[4], [4, 5, 6], [0], [9]], [-0x00dc_ddb3_0f2f_8000, 0] as [Int64])
  func testTimeOfZero_IsNone(_ places: [Int], zero: Int64) throws {
    let file = CaptureWrapping.btsnoop(Self.records { if places.contains($0) { $1.time = zero } })
    let replayed = try ReplayedCapture(file)
    #expect(indices(replayed) == (0..<10).filter { !places.contains($0) })
    #expect(replayed.leftOut()[.withoutTime] == places.count)
    #expect(replayed.summary.recordsWithoutTime == places.count)
    #expect(replayed.summary.damaged == 0)
  }

  @Test func testTimesFrom1970AmongOthers_AreNone() throws {
    // Given: four records in a row whose clock had not been set
    let file = CaptureWrapping.btsnoop(Self.records { if (3...6).contains($0) { $1.time = 5_000_000 + Int64($0) } })
    let replayed = try ReplayedCapture(file)
    #expect(indices(replayed) == [0, 1, 2, 7, 8, 9])
    #expect(replayed.leftOut()[.withoutTime] == 4)
    #expect(replayed.summary.clockSteps == 0)
    #expect(replayed.entries[0]?.last?.monotonic.microseconds == replayed.entries[0]?.last?.wall.microseconds)
  }

  /// A machine without a clock of its own counts from 1970: that is a clock, too.
  @Test func testTimesFrom1970Alone_AreTimes() throws {
    let file = CaptureWrapping.btsnoop(
      Self.records { $1.time = 30_000_000 + $1.time - PacketScript.start })
    let replayed = try ReplayedCapture(file)
    #expect(indices(replayed) == Array(0..<10))
    #expect(replayed.summary.recordsWithoutTime == 0)
  }

  @Test func testLinkThatEndsWithoutATime_EndsAtTheLastKnownInstant() throws {
    var script = Self.script()
    script.disconnect()
    var records = script.packets.map { CaptureWrapping.btsnoopRecord($0) }
    records[records.count - 1].time = 0
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(records))
    #expect(replayed.linkEnds() == [0x08])
    #expect(replayed.entries[0]?.last?.wall.microseconds == records[records.count - 2].time)
  }

  // MARK: - A clock that stands still

  private static func burst(
    of count: Int, apart: Int64 = 0, after silence: Int64 = 1_000_000, behind before: Int = 5
  ) -> PacketScript {
    var script = script(before)
    script.time += silence - 1_000_000
    script.interval = apart
    for index in 0..<count { script.notify([0x16, UInt8(70 + index % 100), 0, 4]) }
    script.interval = 1_000_000
    script.time += 1_000_000
    for index in 0..<3 { script.notify([0x16, UInt8(200 + index), 0, 4]) }
    return script
  }

  @Test(arguments: [0, 1, 1_000] as [Int64])
  func testManyNotificationsAtOneInstant_HaveNoTimeOfArrival(apart: Int64) throws {
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(Self.burst(of: 60, apart: apart)))
    #expect(replayed.leftOut()[.withoutTime] == 60)
    #expect(replayed.values().map { $0[1] } == [60, 61, 62, 63, 64, 200, 201, 202])
    #expect(replayed.summary.recordsWithoutTime == 0)
  }

  @Test func testAsManyAsASilenceHeldBack_AreLateAndUsed() throws {
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(Self.burst(of: 40, after: 40_000_000)))
    #expect(replayed.leftOut().total == 0)
    #expect(replayed.values().count == 48)
  }

  @Test func testAFewAtOneInstant_AreUsed() throws {
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(Self.burst(of: 23)))
    #expect(replayed.leftOut().total == 0)
    #expect(replayed.values().count == 31)
  }

  @Test func testClockThatNeverGoesOn_LeavesNothingToUse() throws {
    var script = Self.script(0)
    script.interval = 0
    for index in 0..<120 { script.notify([0x16, UInt8(60 + index % 100), 0, 4]) }
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.plan.straps.isEmpty)
    #expect(replayed.plan.unusableStraps.map { $0.leftOut[.withoutTime] } == [120])
  }
}
