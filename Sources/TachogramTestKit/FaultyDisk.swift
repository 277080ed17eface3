import CFaultVFS

/// A disk that fails when a test says so, for the databases in one folder. It lies below SQLite, which sees it as the
/// file system; databases that were open before see nothing of it.
package final class FaultyDisk: Sendable {
  /// What the disk does.
  package enum Fault: CaseIterable, Sendable {
    /// There is no room.
    case full
    /// Nothing can be read or written.
    case inputOutput
    /// Somebody else holds the locks.
    case busy
    /// Nothing can be written.
    case readOnly

    fileprivate var kind: fault_kind {
      switch self {
      case .full: FAULT_FULL
      case .inputOutput: FAULT_INPUT_OUTPUT
      case .busy: FAULT_BUSY
      case .readOnly: FAULT_READ_ONLY
      }
    }
  }

  /// There is no such folder.
  package struct MissingFolder: Error {}

  // What it points at guards itself with a lock, and the pointer never changes.
  nonisolated(unsafe) private let site: OpaquePointer

  /// The disk of an existing folder and of all below it.
  package init(folder: String) throws {
    guard let site = fault_site_create(folder) else { throw MissingFolder() }
    self.site = site
  }

  deinit {
    fault_site_destroy(site)
  }

  /// Counts the operations that a fault concerns, from now on, and lets number `operation` (from 1) fail and those behind
  /// it, `times` of them.
  package func fail(_ fault: Fault, at operation: Int64, times: Int64 = 1) {
    fault_site_fail(site, fault.kind, operation, times)
  }

  /// Lets files grow by so many bytes altogether from now on, as a disk with that much room does.
  package func leaveRoom(_ bytes: Int64) {
    fault_site_leave_room(site, bytes)
  }

  /// Lets everything work again.
  package func mend() {
    fault_site_mend(site)
  }

  /// How many operations the fault concerned since it was set.
  package var operations: Int64 { fault_site_operations(site) }

  /// How many of them failed.
  package var failures: Int64 { fault_site_failures(site) }

  /// The one that failed last, such as `write`; `none` before the first.
  package var lastFailure: String { String(cString: fault_site_last_failure(site)) }
}
