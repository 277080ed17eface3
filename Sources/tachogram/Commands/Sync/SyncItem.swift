import Presentation
import Sync
import SyncEngine
import TachogramCore

/// The state of synchronisation in JSON.
struct SyncItem: Encodable {
  struct Member: Encodable {
    let id: String
    let words: String
    let name: String?
    let role: String
    let isThisStation: Bool
    let lastHeard: String?
    let chunks: UInt64

    init(_ member: SyncStatusReport.Member) {
      (id, words, name) = (member.id.description, member.id.words, member.name)
      (role, isThisStation, chunks) = ("\(member.role)", member.isThisStation, member.chunkCount)
      lastHeard = member.lastHeard.map(Timestamp.text)
    }
  }

  struct Finding: Encodable {
    let text: String
    let advice: String
  }

  let space: String
  let station: String
  let name: String
  let store: String
  let members: [Member]
  let waitingChunks: Int
  let waitingBytes: Int
  let unsealedSessions: Int
  let lastSync: String?
  let problem: String?
  let findings: [Finding]
  let quarantinedEdits: Int

  init(_ report: SyncStatusReport) {
    (space, station, name) = (report.space.description, report.station.description, report.name)
    (store, members) = (report.store, report.members.map(Member.init))
    (waitingChunks, waitingBytes) = (report.queue.count, report.queue.bytes)
    (unsealedSessions, problem) = (report.unsealedCount, report.problem)
    lastSync = report.lastSync.map(Timestamp.text)
    findings = report.findings.map { Finding(text: $0.text, advice: $0.advice) }
    quarantinedEdits = report.quarantinedCount
  }
}
