import FileSystem
import FoundationEssentials
import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder with one file for each secret, named after the beginning of its digest. Several processes can add, find and remove
/// secrets at the same time without a lock, and a removed secret is invalid at once. A secret itself is never stored.
struct SecretFiles<Content: Codable & Sendable>: Sendable {
  private struct File: Codable {
    let sha256: String
    let content: Content
  }

  /// A stored secret without the secret.
  struct Found {
    let id: String
    let content: Content
    /// The last use, or `nil` if it was never used.
    let lastUse: WallTime?
  }

  /// The number of hexadecimal digits in the name of a file.
  private static var idLength: Int { 16 }
  /// The maximum size of a file, in bytes.
  private static var limit: Int { 4096 }

  let folder: String

  /// Returns the content of a secret, or `nil` if it is unknown.
  func find(_ secret: String) throws(AccessFailure) -> Found? {
    let digest = Secret.hexadecimal(Secret.digest(secret))
    let id = String(digest.prefix(Self.idLength))
    guard let (file, lastUse) = try read(id), Secret.isEqual(file.sha256, digest) else { return nil }
    return Found(id: id, content: file.content, lastUse: lastUse)
  }

  /// Returns all secrets, in the order of their identifiers.
  func all() throws(AccessFailure) -> [Found] {
    var all: [Found] = []
    for id in try ids() {
      if let (file, lastUse) = try read(id) { all.append(Found(id: id, content: file.content, lastUse: lastUse)) }
    }
    return all
  }

  /// Stores the content of a secret. Returns its identifier.
  func add(_ secret: String, _ content: Content) throws(AccessFailure) -> String {
    let digest = Secret.hexadecimal(Secret.digest(secret))
    let id = String(digest.prefix(Self.idLength))
    let (folder, path) = (folder, path(id))
    let bytes = Array((try? JSONEncoder().encode(File(sha256: digest, content: content))) ?? Data())
    try AccessFailure.wording { () throws(AtomicFile.Failure) in
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(bytes, to: path)
    }
    setLastUse(id, WallTime(microseconds: 0))
    return id
  }

  /// Removes a secret. Returns whether this call removed it.
  @discardableResult
  func remove(_ id: String) throws(AccessFailure) -> Bool {
    guard Self.isID(id) else { return false }
    let path = path(id)
    return try AccessFailure.wording { () throws(AtomicFile.Failure) in try AtomicFile.remove(path) }
  }

  /// Removes all secrets, also those whose files are damaged.
  func removeAll() throws(AccessFailure) {
    for id in try ids() { try remove(id) }
  }

  /// Stores the last use, as the time of modification of the file. A secret that was removed is not stored again.
  func setLastUse(_ id: String, _ time: WallTime) {
    let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(max(0, rest)) * 1000)
    utimensat(AT_FDCWD, path(id), [moment, moment], AT_SYMLINK_NOFOLLOW)
  }

  private func ids() throws(AccessFailure) -> [String] {
    do {
      return try FolderListing.names(in: BytePath(folder)).map { String(decoding: $0, as: UTF8.self) }.filter(Self.isID)
    } catch {
      if error.errno == ENOENT || error.errno == ENOTDIR { return [] }
      throw .file(AtomicFile.Failure(path: folder, action: .read, reason: .system(error.errno)))
    }
  }

  private func read(_ id: String) throws(AccessFailure) -> (file: File, lastUse: WallTime?)? {
    let path = path(id)
    let bytes = try AccessFailure.wording { () throws(AtomicFile.Failure) in
      try AtomicFile.read(path, limit: Self.limit)
    }
    guard let bytes else { return nil }
    guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else { throw .damaged(path: path) }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mtim.tv_sec > 0 else { return (file, nil) }
    return (file, WallTime(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000))
  }

  private func path(_ id: String) -> String { "\(folder)/\(id)" }

  private static func isID(_ name: String) -> Bool {
    name.utf8.count == idLength && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
