import GATT
import TachogramCore

/// Replays the heart-rate notifications of a capture file in two passes: the survey reads the file once, so that all facts
/// about a strap are known before its first entry; the replay reads it again. If the replayed entries can be discarded, a
/// `SpeculativeReplay` runs beside the survey and makes the second pass unnecessary. The memory in use does not depend on the
/// size of the file.
package struct CaptureReplay: Sendable {
  /// Receives a full piece of the survey with the plan up to its end, and returns an empty piece.
  package typealias Drafting = (CapturePlan, SurveyChunk) -> SurveyChunk

  private let file: CaptureFile
  private let handle: UInt16?

  /// Creates a replay. `handle` is the attribute handle of heart rate, if discovery does not name it.
  package init(path: String, handle: UInt16? = nil) {
    self.init(InputFile(path: path), handle: handle)
  }

  /// Creates a replay of a file that others read as well.
  package init(_ input: InputFile, handle: UInt16? = nil) {
    file = CaptureFile(input)
    self.handle = handle
  }

  /// Creates a replay that reads at least `chunk` bytes at a time. The result does not depend on it.
  package init(path: String, chunk: Int) {
    file = CaptureFile(InputFile(path: path), chunk: chunk)
    handle = nil
  }

  /// Surveys the file. Throws `CaptureError.noHeartRate` if no heart-rate notification is found. If none of those found can be
  /// used, the plan has only unusable straps. `progress` is called now and then with the fraction of the file that was read, 0
  /// … 1.
  package func plan(progress: (Double) -> Void = { _ in }) throws -> CapturePlan {
    try survey(progress: progress, piece: nil, drafting: nil).plan
  }

  /// Surveys the file as `plan` does, fills `piece` with the events that a replay needs, and passes it to `drafting` whenever
  /// it is full. Returns the last piece.
  package func plan(
    progress: (Double) -> Void, filling piece: SurveyChunk, drafting: Drafting
  ) throws -> (plan: CapturePlan, last: SurveyChunk) {
    try withoutActuallyEscaping(drafting) { try survey(progress: progress, piece: piece, drafting: $0) }
  }

  private func survey(
    progress: (Double) -> Void, piece: SurveyChunk?, drafting: Drafting?
  ) throws -> (plan: CapturePlan, last: SurveyChunk) {
    var survey = CaptureSurvey(piece: piece)
    var dissector = CaptureDissector()
    var clock = ReplayClock()
    var unsupported: (number: UInt32, count: Int)?
    // A variable, because the closure would retain a constant for each record.
    var draft = CaptureDraft(handle: handle, drafting: drafting)
    var summary = try file.forEachRecord(progress: progress) { record, data, summary in
      if case .unsupported(let number) = record.link { unsupported = (number, (unsupported?.count ?? 0) + 1) }
      survey.begin(clock.advance(to: record.time))
      if record.dropped > 0 { survey.dropped() }
      dissector.process(record, data, sink: &survey, summary: &summary)
      if survey.isPieceFull { draft.exchangePiece(of: &survey, summary) }
    }
    summary.clockSteps = clock.steps
    summary.malformedPackets += survey.malformedPDUs
    let plan = CapturePlan(survey: survey, summary: summary, handle: handle)
    if !plan.straps.isEmpty || !plan.unusableStraps.isEmpty { return (plan, survey.piece) }
    if let unsupported, unsupported.count == summary.records {
      throw CaptureError.unsupportedLinkType(path: file.path, linkType: unsupported.number)
    }
    throw CaptureError.noHeartRate(path: file.path, why: Self.absence(survey, plan), summary: summary)
  }

  /// Calls `body` with the arrivals of all straps in the order of the file, with the bytes of the value.
  package func forEachArrival(
    _ plan: CapturePlan, progress: (Double) -> Void = { _ in },
    _ body: (ReplayedArrival, Span<UInt8>) throws -> Void
  ) throws {
    var router = ArrivalRouter()
    _ = router.adopt(plan)
    var dissector = CaptureDissector()
    var clock = ReplayClock()
    _ = try file.forEachRecord(progress: progress) { record, data, summary in
      router.begin(clock.advance(to: record.time))
      if record.dropped > 0 { router.dropped() }
      dissector.process(record, data, sink: &router, summary: &summary)
      try router.drain(body)
    }
  }

  /// Calls `body` with the entries of all straps in the order of the file, each with the index of its strap in the plan.
  package func forEachEntry(
    _ plan: CapturePlan, progress: (Double) -> Void = { _ in }, _ body: (Int, LedgerEntry) throws -> Void
  ) throws {
    if plan.hasPulseIntervals {
      return try forEachEvent(plan, progress: progress) { strap, event in
        if case .entry(let entry) = event { try body(strap, entry) }
      }
    }
    try forEachArrival(plan, progress: progress) { arrival, value in try body(arrival.strap, arrival.entry(value)) }
  }

  /// An event of a strap in a capture.
  package enum Event {
    case entry(LedgerEntry)
    case measurement(ReplayedMeasurement)
  }

  /// Calls `body` with the entries of all straps, and with what straps sent beside their heart rate, in the order of the file.
  /// Pulse intervals are entries as soon as their strap has one.
  package func forEachEvent(
    _ plan: CapturePlan, progress: (Double) -> Void = { _ in }, _ body: (Int, Event) throws -> Void
  ) throws {
    var sink = MeasuredRouter(router: ArrivalRouter(), tracker: MeasurementTracker(plan))
    _ = sink.router.adopt(plan)
    var dissector = CaptureDissector()
    var clock = ReplayClock()
    var counts = Array(repeating: Int64(0), count: plan.straps.count)
    _ = try file.forEachRecord(progress: progress) { record, data, summary in
      let now = clock.advance(to: record.time)
      sink.router.begin(now)
      sink.tracker.begin(now)
      if record.dropped > 0 { sink.router.dropped() }
      dissector.process(record, data, sink: &sink, summary: &summary)
      try sink.router.drain { arrival, value in
        var entry = arrival.entry(value)
        entry.sequence = counts[arrival.strap]
        counts[arrival.strap] += 1
        try body(arrival.strap, .entry(entry))
      }
      try sink.tracker.drain { strap, measurement in
        guard let bytes = measurement.content.pulseIntervals, counts[strap] > 0 else {
          return try body(strap, .measurement(measurement))
        }
        let entry = LedgerEntry(
          sequence: counts[strap], link: measurement.link, monotonic: measurement.monotonic, wall: measurement.wall,
          content: .pulseIntervals(bytes))
        counts[strap] += 1
        try body(strap, .entry(entry))
      }
    }
  }

  private static func absence(_ survey: CaptureSurvey, _ plan: CapturePlan) -> HeartRateAbsence {
    let summary = plan.summary
    if summary.records == 0 { return .noRecords }
    let servers = survey.connections.flatMap { [$0.near, $0.far] }
    if servers.contains(where: \.hasHeartRate) { return .noNotifications }
    if summary.encryptedPackets > 0 { return .encrypted(packets: summary.encryptedPackets) }
    let handles = Set(servers.flatMap { $0.histories.filter(\.isUnsure).map(\.handle) }).sorted()
    if !handles.isEmpty { return .unidentifiedHandles(handles) }
    return survey.attributeCount == 0
      ? .noAttributeTraffic(records: summary.records) : .noHeartRateService(records: summary.records)
  }
}
