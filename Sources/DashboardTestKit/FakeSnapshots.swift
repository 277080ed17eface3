import Dashboard
import Synchronization
import TachogramCore

/// Two snapshots, of which the second one is damaged. Restoring is only noted.
package final class FakeSnapshots: SnapshotBackend {
  private let restored = Mutex<String?>(nil)

  package init() {}

  private static let all = [("t-20261126T030000Z.sqlite", 1_795_662_000), ("t-20261125T030000Z.sqlite", 1_795_575_600)]
    .map { API.Snapshot(id: $0.0, time: WallTime(microseconds: $0.1 * 1_000_000), bytes: 48_300_000) }

  package func snapshots() async throws -> API.Snapshots {
    API.Snapshots(
      snapshots: Self.all, lastResult: restored.withLock { $0 == nil ? nil : "The snapshot was restored." })
  }

  package func preview(snapshot id: String) async throws -> API.SnapshotPreview {
    guard let index = Self.all.firstIndex(where: { $0.id == id }) else {
      throw DashboardError.notFound("there is no snapshot \(id).")
    }
    let snapshot = Self.all[index]
    if index > 0 { return API.SnapshotPreview(snapshot: snapshot, problem: "the file is damaged") }
    let last = WallTime(microseconds: 1_795_660_000_000_000)
    return API.SnapshotPreview(
      snapshot: snapshot, problem: nil, sessions: 55, last: last, missing: 1, firstMissing: last, lastMissing: last)
  }

  package func restore(snapshot id: String) async throws {
    if let problem = try await preview(snapshot: id).problem {
      throw DashboardError(.conflict, "the snapshot cannot be restored: \(problem)")
    }
    restored.withLock { $0 = id }
  }
}
