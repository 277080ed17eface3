import TachogramCore

/// Replays the heart-rate notifications of a capture file. Two passes: the survey learns what the file holds, so that
/// everything is known of a strap before its first entry; the replay emits the entries, from the notifications that the
/// survey kept, or from the file again where it has more of them than are kept. Memory does not grow with the file.
package struct CaptureReplay: Sendable {
  private let file: CaptureFile
  private let handle: UInt16?
  private let kept: Int

  /// `handle`: the attribute handle that carries heart rate, where discovery does not tell. `kept`: how many
  /// pieces of the notifications are kept between the two passes at most; 0 for none, so that the file is read again.
  package init(path: String, handle: UInt16? = nil, kept: Int = NotificationLog.mostPieces) {
    file = CaptureFile(path: path)
    self.handle = handle
    self.kept = kept
  }

  /// Surveys the file; throws `CaptureError.noHeartRate` when there is nothing to replay. `progress` is called now
  /// and then with the share of the file that was read, 0 … 1.
  package func plan(progress: (Double) -> Void = { _ in }) throws -> CapturePlan {
    var survey = CaptureSurvey(kept: kept)
    var dissector = CaptureDissector()
    var clock = ReplayClock()
    var unsupported: (number: UInt32, count: Int)?
    var summary = try file.forEachRecord(progress: progress) { record, data, summary in
      if case .unsupported(let number) = record.link { unsupported = (number, (unsupported?.count ?? 0) + 1) }
      survey.begin(clock.advance(to: record.time))
      dissector.process(record, data, sink: &survey, summary: &summary)
    }
    summary.clockSteps = clock.steps
    let plan = CapturePlan(survey: survey, summary: summary, handle: handle)
    if !plan.straps.isEmpty { return plan }
    if let unsupported, unsupported.count == summary.records {
      throw CaptureError.unsupportedLinkType(path: file.path, linkType: unsupported.number)
    }
    throw CaptureError.noHeartRate(path: file.path, why: Self.absence(survey, summary), summary: summary)
  }

  /// Emits the entries of all straps in the order of the file, each with the index of its strap in the plan.
  package func forEachEntry(
    _ plan: CapturePlan, progress: (Double) -> Void = { _ in }, _ body: (Int, LedgerEntry) throws -> Void
  ) throws {
    var emitter = EntryEmitter(plan: plan)
    if plan.log.isComplete {
      return try plan.log.replay(to: &emitter, body)
    }
    var dissector = CaptureDissector()
    var clock = ReplayClock()
    _ = try file.forEachRecord(progress: progress) { record, data, summary in
      emitter.begin(clock.advance(to: record.time))
      dissector.process(record, data, sink: &emitter, summary: &summary)
      try emitter.drain(body)
    }
  }

  private static func absence(_ survey: CaptureSurvey, _ summary: CaptureSummary) -> HeartRateAbsence {
    if summary.records == 0 { return .noRecords }
    let servers = survey.connections.flatMap { [$0.near, $0.far] }
    if servers.contains(where: { !$0.heartRateHandles.isEmpty }) { return .noNotifications }
    if summary.encryptedPackets > 0 { return .encrypted(packets: summary.encryptedPackets) }
    let handles = servers.reduce(into: Set()) { $0.formUnion($1.unidentifiedHandles) }.sorted()
    if !handles.isEmpty { return .unidentifiedHandles(handles) }
    return survey.attributeCount == 0
      ? .noAttributeTraffic(records: summary.records) : .noHeartRateService(records: summary.records)
  }
}
