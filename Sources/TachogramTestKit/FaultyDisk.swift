import CFaultVFS

/// A disk that fails on demand, for the databases in one folder. It is a layer below SQLite that appears as the file system.
/// Databases that were opened before are not affected.
package final class FaultyDisk: Sendable {
  /// The kind of failure.
  package enum Fault: CaseIterable, Sendable {
    /// The disk is full.
    case full
    /// Nothing can be read or written.
    case inputOutput
    /// Another process has locked the file.
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

  /// The folder does not exist.
  package struct MissingFolder: Error {}

  // The object behind the pointer is guarded by a lock, and the pointer never changes.
  nonisolated(unsafe) private let site: OpaquePointer

  /// Creates the disk of an existing folder and all folders below it.
  package init(folder: String) throws {
    guard let site = fault_site_create(folder) else { throw MissingFolder() }
    self.site = site
  }

  deinit {
    fault_site_destroy(site)
  }

  /// Counts the operations that a fault concerns, from now on, and makes `times` of them fail, beginning with number
  /// `operation` (from 1).
  package func fail(_ fault: Fault, at operation: Int64, times: Int64 = 1) {
    fault_site_fail(site, fault.kind, operation, times)
  }

  /// Limits the growth of files to a total number of bytes from now on, as a disk with that much room does.
  package func leaveRoom(_ bytes: Int64) {
    fault_site_leave_room(site, bytes)
  }

  /// Ends all faults.
  package func mend() {
    fault_site_mend(site)
  }

  /// The number of operations that the fault concerned since it was set.
  package var operations: Int64 { fault_site_operations(site) }

  /// The number of failed operations.
  package var failures: Int64 { fault_site_failures(site) }

  /// The name of the last failed operation, such as `write`, or `none` before the first.
  package var lastFailure: String { String(cString: fault_site_last_failure(site)) }
}
