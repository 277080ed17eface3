import Capture
import Pipeline
import Repository
import TachogramCore

/// Replays one capture through the pipeline.
struct ReplayRunner {
  let file: InputFile
  let handle: UInt16?
  let straps: [BluetoothAddress]
  let person: String?
  let kind: HRVKind
  let pace: ReplayPace
  let database: TachogramDatabase?
  /// Takes the lines of the event output; `nil` when they are not wanted.
  let events: ((EventLine) throws -> Void)?
  /// Whether sessions that are stored already stay those of whom they are, whatever `person` says.
  var keepsStored = false

  private var path: String { file.name }

  /// Replays the file and reports it. Ctrl-C stores what was read and throws.
  func run() throws -> InputReport {
    let replay = CaptureReplay(file, handle: handle)
    var progress = Progress(label: "replay", inputSize: try file.openedSize() ?? 0)
    defer { progress.clear() }
    let plan: CapturePlan
    if database == nil, events == nil, straps.isEmpty, pace.isUnbounded {
      let draft = ReplayDraft(person: person, kind: kind)
      let (whole, last) = try replay.plan(
        progress: { progress.show($0) }, filling: SurveyPiece(), drafting: { draft.take($1, of: $0) })
      if let reports = draft.reports(last, of: whole) { return try report(whole, reports) }
      plan = whole
    } else {
      plan = try replay.plan { progress.show($0 / 2) }
    }
    let wanted = try wantedStraps(plan)
    var sessions: [StrapSession?] = plan.straps.map { _ in nil }
    let reports: [SessionReport]
    do {
      try play(replay, plan, wanted, into: &sessions, &progress)
      reports = try sessions.compactMap { try $0?.finish() }
    } catch {
      for session in sessions { session?.abandon() }
      throw error
    }
    for session in sessions where session?.isOfALiveOne == true {
      StandardStreams.error(
        "tachogram: \(path): session \(session?.description.id ?? "") is stored as it was recorded live, and stays so")
    }
    return try report(plan, reports)
  }

  private func play(
    _ replay: CaptureReplay, _ plan: CapturePlan, _ wanted: [Bool], into sessions: inout [StrapSession?],
    _ progress: inout Progress,
  ) throws {
    var pace = pace
    try replay.forEachEntry(plan, progress: { progress.show(0.5 + $0 / 2) }) { index, entry in
      guard wanted[index] else { return }
      let session =
        try sessions[index]
        ?? StrapSession(
          strap: plan.straps[index], first: entry, person: person, kind: kind, database: database,
          keepsStored: keepsStored)
      if sessions[index] == nil {
        session.observe = observer(session.description)
        sessions[index] = session
      }
      if try pace.wait(for: entry.monotonic) { try commit(sessions) }
      try session.ingest(entry)
      if Interrupt.isRequested {
        try commit(sessions)
        throw CommandFailure(
          "stopped by the user"
            + (database == nil ? "" : "; what was read is stored, and replaying again goes on from there"),
          code: .interrupted)
      }
    }
  }

  private func report(_ plan: CapturePlan, _ sessions: [SessionReport]) throws -> InputReport {
    let reports = sessions.map { StrapReport($0) }
    guard let main = reports.first else {
      throw CaptureError.noHeartRate(path: path, why: .noNotifications)
    }
    return InputReport(capture: CaptureSection(plan), main: main, otherStraps: Array(reports.dropFirst()))
  }

  private func commit(_ sessions: [StrapSession?]) throws {
    for session in sessions { try session?.commit() }
  }

  /// For each strap of the plan, whether it was asked for.
  private func wantedStraps(_ plan: CapturePlan) throws -> [Bool] {
    for address in straps where !plan.straps.contains(where: { $0.identity.address.value == address.value }) {
      let known = plan.straps.map(\.identity.label).joined(separator: ", ")
      throw CommandFailure("\(path): no strap \(address) in it; there is \(known)", code: .badInput)
    }
    return plan.straps.map { strap in
      straps.isEmpty || straps.contains { $0.value == strap.identity.address.value }
    }
  }

  /// Turns what an entry led to into event lines.
  private func observer(_ session: SessionDescription) -> ((SessionBatch) throws -> Void)? {
    guard let events else { return nil }
    let strap = session.strap.label
    return { batch in try EventLine.lines(batch, of: session, strap: strap).forEach(events) }
  }
}
