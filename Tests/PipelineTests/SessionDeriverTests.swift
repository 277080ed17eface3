import Foundation
import Pipeline
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

struct SessionDeriverTests {
  /// A session's whole output and report.
  private struct Run {
    let batch: SessionBatch
    let report: SessionReport

    init(_ entries: [LedgerEntry], baseline: PersonalBaseline? = nil) {
      let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
      var deriver = SessionDeriver(
        session, baseline: baseline ?? .default(lastUpdated: Date(timeIntervalSince1970: 0)))
      deriver.ingest(entries)
      deriver.finish()
      batch = deriver.drainRows()
      report = deriver.report()
    }
  }

  @Test func testSteadySession_IsCountedWhole() throws {
    let notifications = SimulatedStrap().notifications()
    let run = Run(CaptureBuilder.entries(notifications))
    let intervals = notifications.flatMap { $0.measurement.rrIntervals }
    #expect(run.report.notifications.total == 360)
    #expect(run.report.notifications.malformed == 0)
    #expect(run.report.series.beats.total == intervals.count)
    #expect(run.batch.beats.map(\.rr) == intervals)
    let expected = HRVBatch.metrics(of: intervals.map(\.milliseconds))
    for metric in HRVMetric.timeDomain {
      let value = try #require(run.report.series.raw[metric])
      let reference = try #require(expected[metric])
      #expect(abs(value - reference) <= 1e-9 * abs(reference), "\(metric)")
    }
  }

  /// Wherever in the capture they stand: nobody knows when they came.
  @Test(arguments: [0, 120, 240])
  func testNotificationsWithoutATime_AreMissingFromTheCoverage(first: Int) {
    var entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    entries.removeSubrange(first..<(first + 120))
    var leftOut = LeftOutCounts()
    leftOut[.withoutTime] = 120
    var report = Run(entries).report
    report.leaveOut(leftOut)
    #expect(report.notifications.found == 360)
    #expect(report.notifications.used == 240)
    #expect(report.series.beats.coverage <= 240.0 / 360)
    #expect(report.series.beats.coverage > 0.6)
  }

  @Test func testNotificationsLeftOutForAnotherReason_LeaveTheCoverageAsItIs() {
    var report = Run(CaptureBuilder.entries(SimulatedStrap().notifications())).report
    let coverage = report.series.beats.coverage
    var leftOut = LeftOutCounts()
    leftOut[.unidentifiedHandle] = 120
    report.leaveOut(leftOut)
    #expect(report.notifications.leftOut.total == 120)
    #expect(report.series.beats.coverage == coverage)
    #expect(coverage > 0.9)
  }

  @Test func testReportAlone_IsTheReportOfTheSessionThatIsRecorded() {
    // Given: a link that ends, so that there is a gap, and a notification that is not well-formed
    var entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    entries[40].content = .notification([0x00])
    entries[100].content = .linkDown(reason: 0x08)
    let recorded = Run(entries).report
    // When
    var deriver = SessionDeriver(
      CaptureBuilder.session(entries, strap: CaptureBuilder.strap()),
      baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)), output: .report)
    deriver.ingest(entries)
    deriver.finish()
    let report = deriver.report()
    #expect(deriver.drainRows().isEmpty)
    // Then
    #expect(report.series.beats == recorded.series.beats)
    #expect(report.series.beats.gaps > 0)
    #expect(report.series.raw == recorded.series.raw)
    #expect(report.series.windows == recorded.series.windows)
    #expect(report.series.stress == recorded.series.stress)
    #expect(report.notifications.total == recorded.notifications.total)
    #expect(report.notifications.malformed == 1)
  }

  /// A stream that is heard twice: what claims time that has not passed is left out, and counted.
  @Test func testNotificationsThatOverlap_AreCountedAsLeftOut() {
    // Given: every notification of a minute twice
    let notifications = SimulatedStrap().notifications().enumerated().flatMap { index, notification in
      (120..<180).contains(index) ? [notification, notification] : [notification]
    }
    // When
    let run = Run(CaptureBuilder.entries(notifications))
    // Then: each has at least one interval, and of a notification all count or none
    let counts = run.report.notifications
    let silent = Set(notifications.indices.map(Int64.init)).subtracting(run.batch.beats.map(\.ledgerSequence))
    #expect(counts.leftOut[.overlap] == silent.count - counts.withoutRR)
    #expect(counts.leftOut[.overlap] > 50)
    #expect(counts.found == 420)
    #expect(counts.found == counts.used + counts.malformed + counts.leftOut.total)
  }

  @Test func testLossThatTheCaptureTells_IsAGapOfThatReason() {
    // Given: the capture says that it lost packets, and the strap goes on in its rhythm
    var entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    entries[100].content = .linkDown(reason: DisconnectionCode.captureLoss)
    // When
    let run = Run(entries)
    // Then
    #expect(run.batch.gaps.map(\.reason) == [.lost])
    #expect(run.batch.gaps.map(\.ledgerSequence) == [101])
    #expect(run.report.notifications.found == 359)
  }

  @Test func testStress_IsTheFormulaOfTheLastFiveMinutes() throws {
    let run = Run(CaptureBuilder.entries(SimulatedStrap().notifications()))
    let window = try #require(run.report.series.windows.last)
    let sdnn = try #require(window.corrected[.sdnn])
    let rate = try #require(window.corrected[.meanHeartRate])
    guard case .available(let stress) = run.report.series.stress else {
      Issue.record("no stress level")
      return
    }
    let hrv = pow(max(0, (50 - sdnn) / 50), 0.8)
    let heart = max(0, atan(2 * (rate - 60) / 60) / (Double.pi / 2))
    #expect(abs(stress.level - 100 * (0.7 * hrv + 0.3 * heart)) < 1e-9)
    #expect(abs(stress.confidence - window.window.coverage * (1 - window.window.artifactShare)) < 1e-12)
    #expect(window.window.length == 300)
  }

  /// What is shown live is what the report would say if nothing followed.
  @Test func testReading_IsTheReportAtEveryBeat() {
    var strap = SimulatedStrap()
    strap.contact = { $0 > 200 && $0 < 230 ? .notDetected : .detected }
    let entries = CaptureBuilder.entries(strap.notifications())
    var deriver = SessionDeriver(
      CaptureBuilder.session(entries, strap: CaptureBuilder.strap()),
      baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)), output: .report)
    var hasOrder = false
    for (place, entry) in entries.enumerated() {
      deriver.ingest(entry)
      guard place.isMultiple(of: 13) else { continue }
      let (reading, report) = (deriver.reading(), deriver.report().series)
      #expect(reading.windows.map(\.metrics) == report.windows.map(\.corrected.timeDomain))
      #expect(reading.windows.map(\.artifactShare) == report.windows.map(\.window.artifactShare))
      #expect(reading.stress == report.stress)
      let detail = deriver.detail().map { $0() }
      #expect(detail == report.windows.last?.corrected)
      hasOrder = hasOrder || detail?[.dfaAlpha1] != nil
    }
    #expect(hasOrder)
  }

  /// A missed beat, an extra one, and a pair about an ectopic one.
  @Test func testArtifacts_AreRecordedWithWhatStandsInTheirPlace() throws {
    var entries: [LedgerEntry] = []
    let lengths = (0..<300).map { place -> UInt16 in
      switch place {
      case 100: 1640
      case 150: 300
      case 151: 520
      case 200: 570
      case 201: 1070
      default: UInt16(810 + (place * 7) % 20)
      }
    }
    var time: Int64 = 0
    for (place, ticks) in lengths.enumerated() {
      time += Int64(ticks) * 1_000_000 / 1024
      let value: [UInt8] = [0x10, 75, UInt8(truncatingIfNeeded: ticks), UInt8(ticks >> 8)]
      entries.append(CaptureBuilder.entry(value, sequence: Int64(place), arrival: time))
    }
    let run = Run(entries)
    #expect(run.report.series.beats.total == 300 && run.report.series.beats.gaps == 0)
    let found = run.batch.artifacts
    #expect(found.map(\.beat) == [100, 150, 151, 200, 201])
    #expect(found.map(\.beatClass) == [.missed, .extra, .extra, .ectopic, .ectopic])
    #expect(found.map(\.replacements) == [2, 0, 1, 1, 1])
    let tick = 1000.0 / 1024
    #expect(found.map(\.milliseconds) == [820 * tick, 0, 820 * tick, 820 * tick, 820 * tick])
  }

  @Test func testWindows_AreRecordedEveryMinuteAndAtTheEnd() throws {
    let run = Run(CaptureBuilder.entries(SimulatedStrap().notifications()))
    let ends = run.batch.windows.filter { $0.length == 300 }.map(\.end.microseconds)
    #expect(ends.count == 6)
    #expect(zip(ends, ends.dropFirst()).dropLast().allSatisfy { abs($1 - $0 - 60_000_000) < 2_000_000 })
    #expect(run.batch.stress.count == 6)
    #expect(Set(run.batch.stress.map(\.id)).count == 6)
    #expect(run.batch.stress.allSatisfy { $0.kind == .sdnn && !$0.isSynced && !$0.isDeleted })
  }

  @Test func testNothingDerived_RefersToALaterEntry() {
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var deriver = SessionDeriver(session, baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    for entry in entries {
      deriver.ingest(entry)
      #expect(deriver.drainRows { rows in rows.beats.allSatisfy { $0.ledgerSequence <= entry.sequence } })
    }
  }

  @Test func testStrapWithoutIntervals_HasNoStress() {
    var entries: [LedgerEntry] = []
    for second in 1...120 {
      entries.append(
        CaptureBuilder.entry([0x00, 72], sequence: Int64(second - 1), arrival: Int64(second) * 1_000_000))
    }
    let run = Run(entries)
    #expect(run.report.notifications.withoutRR == 120)
    #expect(run.report.notifications.meanHeartRate == 72)
    #expect(run.report.series.beats.total == 0)
    #expect(run.report.series.stress == .unavailable(.noBeats))
    #expect(run.report.series.raw.reason(for: .rmssd) == .noIntervals)
    #expect(run.batch.stress.isEmpty)
  }

  @Test func testMalformedNotification_IsCountedAndNamed() throws {
    var notifications = SimulatedStrap().notifications()
    notifications[50].value = [0x16, 72, 1]
    let run = Run(CaptureBuilder.entries(notifications))
    #expect(run.report.notifications.malformed == 1)
    let example = try #require(run.report.notifications.malformedExamples.first)
    #expect(example.sequence == 50)
    #expect(example.problem.contains("2"))
    #expect(run.report.series.beats.gaps == 1)
  }

  @Test func testOutOfRangeBeats_LowerTheConfidence() throws {
    var strap = SimulatedStrap()
    strap.contact = { $0 > 300 ? .notDetected : .detected }
    let run = Run(CaptureBuilder.entries(strap.notifications()))
    let window = try #require(run.report.series.windows.last)
    #expect((0.15...0.25).contains(window.window.artifactShare))
    #expect(run.report.series.beats.withoutContact > 50)
  }

  @Test func testRMSSDBaseline_UsesRMSSD() throws {
    let date = Date(timeIntervalSince1970: 0)
    let baseline = PersonalBaseline(
      restingHeartRate: 55, baselineHRV: 60, kind: .rmssd, sampleCount: 40, isPersonal: true, lastUpdated: date)
    let run = Run(CaptureBuilder.entries(SimulatedStrap().notifications()), baseline: baseline)
    let window = try #require(run.report.series.windows.last)
    guard case .available(let stress) = run.report.series.stress else {
      Issue.record("no stress level")
      return
    }
    #expect(stress.hrv == window.corrected[.rmssd])
  }

  @Test func testBatchSizes_ChangeNothing() {
    let entries = CaptureBuilder.entries(SimulatedStrap().notifications())
    let whole = Run(entries)
    let session = CaptureBuilder.session(entries, strap: CaptureBuilder.strap())
    var deriver = SessionDeriver(session, baseline: .default(lastUpdated: Date(timeIntervalSince1970: 0)))
    var pieces = SessionBatch()
    for entry in entries {
      deriver.ingest(entry)
      let batch = deriver.drainRows()
      pieces.beats += batch.beats
      pieces.gaps += batch.gaps
      pieces.windows += batch.windows
      pieces.stress += batch.stress
    }
    deriver.finish()
    let rest = deriver.drainRows()
    pieces.windows += rest.windows
    pieces.stress += rest.stress
    #expect(pieces == whole.batch)
  }
}
