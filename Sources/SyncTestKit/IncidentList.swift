import SyncServer
import Synchronization

/// What a server reports.
package final class IncidentList: Sendable {
  private let list = Mutex<[SyncIncident]>([])

  package var all: [SyncIncident] { list.withLock { $0 } }

  package init() {}

  package func append(_ incident: SyncIncident) { list.withLock { $0.append(incident) } }
}
