import TachogramCore

/// Replays the heart-rate notifications of a capture file. Two passes: the survey learns what the file holds, so that
/// everything is known of a strap before its first entry; the replay reads the file again. Where what is replayed can be
/// forgotten, a `SpeculativeReplay` goes beside the survey and makes the second pass needless. Memory does not grow with the
/// file.
package struct CaptureReplay: Sendable {
  /// Takes a full piece of the survey with the plan as far as that goes, and gives an empty one.
  package typealias Drafting = (CapturePlan, SurveyChunk) -> SurveyChunk

  private let file: CaptureFile
  private let handle: UInt16?

  /// `handle`: the attribute handle that carries heart rate, where discovery does not name it.
  package init(path: String, handle: UInt16? = nil) {
    self.init(InputFile(path: path), handle: handle)
  }

  /// The same of a file that others read too.
  package init(_ input: InputFile, handle: UInt16? = nil) {
    file = CaptureFile(input)
    self.handle = handle
  }

  /// The file is read `chunk` bytes at a time, at least; whatever that is, the replay is the same.
  package init(path: String, chunk: Int) {
    file = CaptureFile(InputFile(path: path), chunk: chunk)
    handle = nil
  }

  /// Surveys the file; throws `CaptureError.noHeartRate` when no heart-rate notification is found. Where some are found and
  /// none can be used, the plan has only unusable straps. `progress` is called now and then with the share of the file that
  /// was read, 0 … 1.
  package func plan(progress: (Double) -> Void = { _ in }) throws -> CapturePlan {
    try survey(progress: progress, piece: nil, drafting: nil).plan
  }

  /// Surveys the file as `plan` does, fills `piece` with what a replay needs of it, and gives that to `drafting` whenever
  /// it is full. What is left is given back.
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
    // A variable: the closure would retain a constant for each record.
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

  /// Gives what arrived from all straps in the order of the file, with the bytes of the value.
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

  /// Emits the entries of all straps in the order of the file, each with the index of its strap in the plan.
  package func forEachEntry(
    _ plan: CapturePlan, progress: (Double) -> Void = { _ in }, _ body: (Int, LedgerEntry) throws -> Void
  ) throws {
    try forEachArrival(plan, progress: progress) { arrival, value in try body(arrival.strap, arrival.entry(value)) }
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
