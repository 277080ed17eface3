import FoundationEssentials
import Glibc

/// What the file system says of the folder that holds the database.
package struct StorageFacts: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case writable
    /// It does not exist, and can be made.
    case creatable
    /// The file system is mounted read-only.
    case readOnly
    /// The user may not write there.
    case denied
    /// It, or what stands above it, is not a folder.
    case notAFolder
    case unknown(code: Int32)
  }

  package var folder = ""
  package var state = State.writable
  /// Bytes that the user may still write; `nil` when the file system does not say.
  package var freeBytes: UInt64?
  /// Free inodes; `nil` when the file system has no such limit.
  package var freeFiles: UInt64?

  package init() {}

  /// Looks at the folder of a database.
  package init(database path: String) {
    self.init(folder: Self.folder(above: path))
  }

  /// Looks at `folder`, or at the nearest folder above it that exists. Writes nothing.
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
    // With the effective user, as `open` decides; access(2) would ask for the real one.
    if faccessat(AT_FDCWD, existing, W_OK | X_OK, AT_EACCESS) != 0 {
      state = errno == EROFS ? .readOnly : errno == EACCES ? .denied : .unknown(code: errno)
    } else {
      state = existing == folder ? .writable : .creatable
    }
  }

  /// The path without its last part; empty for a name alone.
  private static func folder(above path: String) -> String {
    var parts = path[...]
    while parts.count > 1, parts.last == "/" { parts.removeLast() }
    guard let slash = parts.lastIndex(of: "/") else { return "" }
    parts = parts[..<slash]
    while parts.count > 1, parts.last == "/" { parts.removeLast() }
    return parts.isEmpty ? "/" : String(parts)
  }
}
