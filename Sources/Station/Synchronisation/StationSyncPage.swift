import Dashboard
import Repository
import StressKit
import Sync
import SyncEngine
import TachogramCore

extension StationSync {
  /// Returns the state of synchronisation for the page.
  func pageState(at now: WallTime) throws -> API.SyncState {
    guard try SyncRepository(database: database).space() != nil else { return .none }
    var state = API.SyncState(isMember: true)
    do {
      let report = try SyncStatusReport(try storedState(at: now))
      state.store = report.store
      state.lastSync = report.lastSync.map(Timestamp.text)
      state.members = report.members.map { member in
        API.SyncState.Member(
          id: member.id.words, name: member.name, role: "\(member.role)", isThisStation: member.isThisStation,
          lastHeard: member.lastHeard)
      }
      (state.waitingChunks, state.waitingBytes) = (report.queue.count, report.queue.bytes)
      state.problems = report.findings.map { API.SyncState.Problem(text: $0.text, advice: $0.advice) }
      if let problem = report.problem {
        state.problems.insert(API.SyncState.Problem(text: problem, advice: nil), at: 0)
      }
    } catch let error as SyncFailure {
      state.problems = [API.SyncState.Problem(text: error.description, advice: nil)]
    }
    return state
  }
}
