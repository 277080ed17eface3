import Dashboard
import Synchronization
import TachogramCore

/// Two snapshots, of which the second one is damaged, and a replaced database. Restoring and copying is only noted.
package final class FakeSnapshots: SnapshotBackend {
  private let restored = Mutex<String?>(nil)
  private let isCopied = Mutex(false)

  package init() {}

  private static let all = [("t-20261126T030000Z.sqlite", 1_795_662_000), ("t-20261125T030000Z.sqlite", 1_795_575_600)]
    .map { API.Snapshot(id: $0.0, time: WallTime(microseconds: $0.1 * 1_000_000), bytes: 48_300_000) }

  private static let replaced = API.Snapshot(
    id: "t.sqlite.replaced-20261124T030000Z", time: WallTime(microseconds: 1_795_489_200_000_000), bytes: 47_100_000)

  package func snapshots() async throws -> API.Snapshots {
    API.Snapshots(
      snapshots: Self.all, replaced: [Self.replaced],
      lastResult: restored.withLock { $0 == nil ? nil : "The snapshot was restored." })
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

  package func preview(replaced id: String) async throws -> API.ReplacedPreview {
    guard id == Self.replaced.id else { throw DashboardError.notFound("there is no replaced database \(id).") }
    if isCopied.withLock({ $0 }) { return API.ReplacedPreview(replaced: Self.replaced, problem: nil) }
    let start = WallTime(microseconds: 1_795_460_000_000_000)
    return API.ReplacedPreview(
      replaced: Self.replaced, problem: nil, missing: 2, firstMissing: start,
      lastMissing: WallTime(microseconds: 1_795_489_000_000_000), overlapping: 1)
  }

  package func copySessions(ofReplaced id: String) async throws -> API.CopiedSessions {
    let count = try await preview(replaced: id).missing
    isCopied.withLock { $0 = true }
    return API.CopiedSessions(copied: count, problem: nil)
  }
}
