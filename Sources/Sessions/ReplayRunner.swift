import Capture
import CommandProcess
import FoundationEssentials
import Pipeline
import Presentation
import Recording
import Repository
import StressKit
import TachogramCore

/// Replays one capture through the pipeline.
package struct ReplayRunner {
  package let file: InputFile
  package let handle: UInt16?
  package let straps: [BluetoothAddress]
  package let person: String?
  package let kind: HRVKind
  package let pace: ReplayPace
  package let database: TachogramDatabase?
  /// Called with the lines of the event output, or `nil` if they are not needed.
  package let events: ((EventLine) throws -> Void)?
  /// Whether stored sessions keep their person, whatever `person` is.
  package var keepsStored = false

  package init(
    file: InputFile, handle: UInt16?, straps: [BluetoothAddress], person: String?, kind: HRVKind, pace: ReplayPace,
    database: TachogramDatabase?, events: ((EventLine) throws -> Void)?, keepsStored: Bool = false,
  ) {
    self.file = file
    self.handle = handle
    self.straps = straps
    self.person = person
    self.kind = kind
    self.pace = pace
    self.database = database
    self.events = events
    self.keepsStored = keepsStored
  }

  /// The result of storing a session, and the notifications of its strap.
  package struct Stored {
    package let recording: StoredRecording
    package let notifications: NotificationAccount
  }

  /// The result of a requested strap.
  package enum Strap {
    case session(SessionReport)
    /// None of its notifications are usable.
    case unusable(PlannedStrap)
  }

  /// The result of a replay.
  package struct Ending {
    package let plan: CapturePlan
    /// The requested straps. Straps with sessions come first.
    package let straps: (first: Strap, others: [Strap])
    /// The account of the heart-rate notifications of the whole capture.
    package let notifications: NotificationAccount
    /// A sentence about the reason why the capture is unusable, or `nil` if any of it is usable.
    package let refusal: String?
    /// The results of storing the sessions, in the order of the straps; empty without a database.
    package var stored: [Stored] = []
  }

  private var path: String { file.name }

  /// Replays the file and reports it. On Ctrl-C, stores the data read so far and throws an error.
  package func run() throws -> Ending {
    let replay = CaptureReplay(file, handle: handle)
    var progress = Progress(label: "replay", inputSize: try file.openedSize() ?? 0)
    defer { progress.clear() }
    let plan: CapturePlan
    if database == nil, events == nil, pace.isUnbounded {
      let draft = SpeculativeReplayRunner(filter, person: person, kind: kind)
      let (whole, last) = try replay.plan(
        progress: { progress.show($0) }, filling: SurveyChunk(), drafting: { draft.ingest($1, of: $0) })
      _ = try wantedStraps(whole)
      if let reports = draft.reports(last, of: whole) {
        return try ending(whole, reports)
      }
      plan = whole
    } else {
      plan = try replay.plan { progress.show($0 / 2) }
    }
    guard let database, pace.isUnbounded else { return try run(replay, plan, &progress) }
    return try database.storing(isStopped: { Interrupt.isRequested }) { try run(replay, plan, &progress) }
  }

  /// Replays a surveyed capture. Storing excludes other imports from the database, unless the replay is paced.
  private func run(_ replay: CaptureReplay, _ plan: CapturePlan, _ progress: inout Progress) throws -> Ending {
    let wanted = try wantedStraps(plan)
    let verdicts = try database.map { try CaptureCopies(replay, plan, $0).verdicts(wanted, person: person) } ?? [:]
    var sessions: [StrapSession?] = plan.straps.map { _ in nil }
    let reports: [SessionReport]
    do {
      try play(replay, plan, wanted, verdicts, into: &sessions, &progress)
      reports = try zip(sessions, plan.straps).compactMap { session, strap in
        guard var report = try session?.finish() else { return nil }
        report.leaveOut(strap.leftOut)
        return report
      }
    } catch {
      for session in sessions { session?.abandon() }
      throw error
    }
    let stored = try zip(sessions.compactMap(\.self), reports).compactMap { session, report in
      try session.stored().map { recording in
        warn(session, recording)
        return Stored(recording: recording, notifications: NotificationAccount(report.notifications))
      }
    }
    var ending = try ending(plan, reports)
    ending.stored = stored
    return ending
  }

  private func warn(_ session: StrapSession, _ stored: StoredRecording) {
    if session.isOfALiveOne {
      StandardStreams.error(
        "tachogram: \(path): session \(session.description.id) is stored as it was recorded live, and stays so"
          + (keepsStored ? "" : stored.addition.map { "; \($0)" } ?? ""))
    } else if !keepsStored, let note = stored.note, !session.isKnownByIdentifier {
      StandardStreams.error("tachogram: \(path): \(note)")
    }
  }

  private func play(
    _ replay: CaptureReplay, _ plan: CapturePlan, _ wanted: [Bool], _ verdicts: [Int: CopyVerdict],
    into sessions: inout [StrapSession?], _ progress: inout Progress,
  ) throws {
    var pace = pace
    var early: [[ReplayedMeasurement]] = plan.straps.map { _ in [] }
    try replay.forEachEvent(plan, progress: { progress.show(0.5 + $0 / 2) }) { index, event in
      guard wanted[index] else { return }
      guard case .entry(let entry) = event else {
        if case .measurement(let measurement) = event {
          if let session = sessions[index] {
            try session.measure(measurement)
          } else if early[index].count < SessionSensors.waitingLimit {
            early[index].append(measurement)
          }
        }
        return
      }
      let session =
        try sessions[index]
        ?? StrapSession(
          strap: plan.straps[index], first: entry, person: person, kind: kind, database: database,
          keepsStored: keepsStored, verdict: verdicts[index])
      if sessions[index] == nil {
        session.observe = observer(session.description)
        sessions[index] = session
        for measurement in early[index] { try session.measure(measurement) }
        early[index] = []
      }
      if try pace.wait(for: entry.monotonic) { try commit(sessions) }
      try session.ingest(entry)
      if Interrupt.isRequested {
        try commit(sessions)
        throw CommandFailure(
          "stopped by the user"
            + (database == nil ? "" : "; what was read is stored, and replaying again continues from there"),
          code: .interrupted)
      }
    }
  }

  private func ending(_ plan: CapturePlan, _ sessions: [SessionReport]) throws -> Ending {
    let unusable = plan.unusableStraps.filter(filter.contains)
    let straps = sessions.map(Strap.session) + unusable.map(Strap.unusable)
    guard let first = straps.first else { throw CaptureError.noHeartRate(path: path, why: .noNotifications) }
    var account = NotificationAccount()
    for session in sessions { account.add(session.notifications) }
    for strap in unusable { account.add(NotificationCounts(leftOut: strap.leftOut)) }
    for strap in plan.straps + plan.unusableStraps where !filter.contains(strap) {
      account.add(unwanted: strap.notifications + strap.leftOut.total)
    }
    return Ending(
      plan: plan, straps: (first, Array(straps.dropFirst())), notifications: account,
      refusal: sessions.isEmpty ? plan.refusal(path: path).description : nil)
  }

  private func commit(_ sessions: [StrapSession?]) throws {
    for session in sessions { try session?.commit() }
  }

  /// Returns whether each strap of the plan was requested.
  private func wantedStraps(_ plan: CapturePlan) throws -> [Bool] {
    let all = plan.straps + plan.unusableStraps
    for address in straps where !all.contains(where: { $0.identity.address.matches(address) }) {
      let known = all.map(\.identity.label).joined(separator: ", ")
      throw CommandFailure("\(path): no strap \(address) in it; there is \(known)", code: .badInput)
    }
    return plan.straps.map(filter.contains)
  }

  private var filter: StrapFilter { StrapFilter(addresses: straps) }

  /// Returns a function that converts the rows derived from an entry to event lines.
  private func observer(_ session: SessionDescription) -> ((SessionBatch) throws -> Void)? {
    guard let events else { return nil }
    let strap = session.strap.label
    return { batch in try EventLine.lines(batch, of: session, strap: strap).forEach(events) }
  }
}
