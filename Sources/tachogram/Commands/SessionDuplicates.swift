import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import Sessions
import TachogramCore

/// `sessions --duplicates`: lists sessions that contain the same recording, and with `--merge` keeps one of each.
struct SessionDuplicates {
  let database: DatabaseOption
  let merges: Bool
  let format: OutputFormat

  private struct Group: Encodable {
    let kept: SessionItem
    let copies: [SessionItem]
    /// The beats of copies that the kept session lacks, or `nil` if there are none.
    let lost: [StoredRecording.Overlap]?
  }

  private struct Answer: Encodable {
    let merged: Bool
    let duplicates: [Group]
    let overlapping: [Overlap]
  }

  private struct Overlap: Encodable {
    let sessions: [String]
    let beats: Int
  }

  func run() throws {
    let (survey, kept) = try CommandFailure.wording { try merges ? merged() : listed() }
    let groups = zip(survey.groups, kept).map { group, kept in
      let lost = group.copies.compactMap { copy in
        group.lacking[copy.description.id].map { StoredRecording.Overlap(session: copy.description.id, beats: $0) }
      }
      return Group(
        kept: SessionItem(kept), copies: group.copies.map { SessionItem($0) }, lost: lost.isEmpty ? nil : lost)
    }
    let overlapping = survey.overlaps.map {
      Overlap(sessions: [$0.sessions.0.description.id, $0.sessions.1.description.id], beats: $0.beats)
    }
    if format == .json {
      let answer = Answer(merged: merges, duplicates: groups, overlapping: overlapping)
      return StandardStreams.out(try JSONOutput.line(answer))
    }
    for group in groups {
      StandardStreams.out(line("kept", group.kept))
      for copy in group.copies { StandardStreams.out(line(merges ? "deleted" : "copy", copy)) }
      for loss in group.lost ?? [] {
        StandardStreams.out("\(loss.beats) beats of \(loss.session.prefix(8)) are not in what is kept for it\n")
      }
    }
    for overlap in overlapping {
      let names = overlap.sessions.map { $0.prefix(8) }.joined(separator: " and ")
      StandardStreams.out(
        "\(overlap.beats) beats are in \(names); neither holds the other as precisely, so both stay\n")
    }
    if groups.isEmpty, overlapping.isEmpty { StandardStreams.error("tachogram: no recording is stored twice") }
    if !groups.isEmpty, !merges {
      StandardStreams.error("tachogram: run again with --merge to keep the first session of each group alone")
    }
  }

  private func listed() throws -> (survey: CopySurvey, kept: [SessionRecord]) {
    let survey = try RecordingCopies(database: try database.openForReading()).survey()
    return (survey, survey.groups.map(\.kept))
  }

  private func merged() throws -> (survey: CopySurvey, kept: [SessionRecord]) {
    let store = try DatabaseOption.openExisting(try database.path())
    defer { try? store.close() }
    let survey = try RecordingCopies(database: store).survey()
    let repository = SessionRepository(database: store)
    let kept = try survey.groups.map { group in
      try repository.merge(
        group.copies.map(\.description.id), into: group.kept.description.id, person: group.person, label: group.label)
      return try repository.session(matching: group.kept.description.id)
    }
    return (survey, kept)
  }

  private func line(_ role: String, _ item: SessionItem) -> String {
    let person = item.person.map(TerminalText.safe) ?? "no person"
    let label = item.label.map { [TerminalText.safe($0)] } ?? []
    let parts = [
      role.padding(toLength: 7, withPad: " ", startingAt: 0), String(item.id.prefix(8)), item.start,
      "\(item.beats) beats", item.madeFrom.map(TerminalText.safe) ?? item.origin, person,
    ]
    return (parts + label).joined(separator: "  ") + "\n"
  }
}
