import FoundationEssentials
import Glibc

/// The facts about the folder of the database, from the file system.
package struct StorageFacts: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case writable
    /// It does not exist and can be created.
    case creatable
    /// The file system is mounted read-only.
    case readOnly
    /// The user has no permission to write there.
    case denied
    /// It, or one of its parents, is not a folder.
    case notAFolder
    case unknown(code: Int32)
  }

  package var folder = ""
  package var state = State.writable
  /// The number of bytes that the user can write, or `nil` if the file system does not report it.
  package var freeBytes: UInt64?
  /// The number of free inodes, or `nil` if the file system has no such limit.
  package var freeFiles: UInt64?

  package init() {}

  /// Examines the folder of a database.
  package init(database path: String) {
    self.init(folder: Self.folder(above: path))
  }

  /// Examines `folder`, or its nearest parent that exists. Writes nothing.
  package init(folder: String) {
    self.folder = folder
    var existing = folder
    while access(existing, F_OK) != 0 {
      guard errno == ENOENT, existing.count > 1 else {
        state = errno == ENOTDIR ? .notAFolder : errno == EACCES ? .denied : .unknown(code: errno)
        return
      }
      existing = Self.folder(above: existing)
      if existing.isEmpty { existing = "." }
    }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: existing, isDirectory: &isFolder), isFolder else {
      state = .notAFolder
      return
    }
    if let space = FreeSpace(at: existing) {
      (freeBytes, freeFiles) = (space.bytes, space.files)
      if space.isReadOnly {
        state = .readOnly
        return
      }
    }
    // Checks the permissions of the effective user, as `open` does; access(2) checks those of the real user.
    if faccessat(AT_FDCWD, existing, W_OK | X_OK, AT_EACCESS) != 0 {
      state = errno == EROFS ? .readOnly : errno == EACCES ? .denied : .unknown(code: errno)
    } else {
      state = existing == folder ? .writable : .creatable
    }
  }

  /// Whether the folder of a database cannot be written because its file system is read-only: as it was mounted, or since an
  /// error. A file without a name is made there for that.
  package static func isReadOnly(database path: String) -> Bool {
    let facts = StorageFacts(database: DatabaseFile.resolved(path))
    return facts.state == .readOnly || ReadOnlyProbe.isReadOnly(folder: facts.folder.isEmpty ? "." : facts.folder)
  }

  /// Returns the path without its last component, or an empty text for a single name.
  private static func folder(above path: String) -> String {
    var parts = path[...]
    while parts.count > 1, parts.last == "/" { parts.removeLast() }
    guard let slash = parts.lastIndex(of: "/") else { return "" }
    parts = parts[..<slash]
    while parts.count > 1, parts.last == "/" { parts.removeLast() }
    return parts.isEmpty ? "/" : String(parts)
  }
}
