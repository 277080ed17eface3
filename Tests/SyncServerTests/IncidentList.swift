import Synchronization

@testable import SyncServer

/// What a server reports.
final class IncidentList: Sendable {
  private let list = Mutex<[SyncIncident]>([])

  var all: [SyncIncident] { list.withLock { $0 } }

  func append(_ incident: SyncIncident) { list.withLock { $0.append(incident) } }
}
