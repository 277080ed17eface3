import Crypto
import FileSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file with the private keys of a station, which only its owner can read.
///
/// Layout: `TGSK`, version 1, Ed25519 private key (32 bytes), X25519 private key (32 bytes), the first 8 bytes of the SHA-256
/// digest of all that.
package struct StationKeyFile: Sendable {
  private static let start = Array("TGSK".utf8) + [1]
  private static let checkLength = 8

  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Returns the keys, or `nil` if there is no file.
  package func read() throws(KeyFailure) -> StationKeys? { try Self.read(path) }

  /// Returns the keys that fit: those in the file, those that are to replace them, or those that they replaced. They are in the
  /// file afterwards. Returns `nil` if none fit.
  package func read(matching isRight: (StationKeys) -> Bool) throws(KeyFailure) -> StationKeys? {
    let keys = try read()
    if let keys, isRight(keys) { return keys }
    for other in [next, previous] {
      guard let found = try Self.read(other), isRight(found) else { continue }
      if let keys { try Self.write(keys, to: previous) }
      try write(found)
      return found
    }
    return nil
  }

  /// Writes keys that are to replace those in the file.
  package func writeNext(_ keys: StationKeys) throws(KeyFailure) { try Self.write(keys, to: next) }

  /// Returns the keys that are to replace those in the file, or `nil` if there are none.
  package func readNext() throws(KeyFailure) -> StationKeys? { try Self.read(next) }

  private var next: String { path + ".next" }
  private var previous: String { path + ".previous" }

  private static func read(_ path: String) throws(KeyFailure) -> StationKeys? {
    guard let bytes = try contents(path) else { return nil }
    let length = start.count + 64
    guard bytes.count == length + checkLength, bytes.starts(with: start),
      check(bytes[..<length]) == Array(bytes[length...])
    else { throw .damaged(path: path) }
    let keys = Array(bytes[Self.start.count..<length])
    return try StationKeys(signingKey: Array(keys[..<32]), agreementKey: Array(keys[32...]))
  }

  /// Returns the keys. Creates them if there is no file. Several processes that do so at the same time receive the same keys.
  package func readOrMake() throws(KeyFailure) -> StationKeys {
    if let keys = try read() { return keys }
    try makeFolder()
    let lock = FolderLock(of: path)
    defer { withExtendedLifetime(lock) {} }
    if let keys = try read() { return keys }
    let keys = try StationKeys()
    try write(keys)
    return keys
  }

  /// Writes keys that replace those in the file.
  package func write(_ keys: StationKeys) throws(KeyFailure) {
    try makeFolder()
    try Self.write(keys, to: path)
  }

  private static func write(_ keys: StationKeys, to path: String) throws(KeyFailure) {
    let content = start + Array(keys.signing.rawRepresentation) + Array(keys.agreement.rawRepresentation)
    do {
      try AtomicFile.write(content + check(content[...]), to: path, mode: 0o600)
    } catch {
      throw .file(error)
    }
  }

  private func makeFolder() throws(KeyFailure) {
    guard let folder = AtomicFile.folder(of: path) else { return }
    do {
      try AtomicFile.makeFolder(folder)
    } catch {
      throw .file(error)
    }
  }

  private static func contents(_ path: String) throws(KeyFailure) -> [UInt8]? {
    let bytes: [UInt8]?
    do {
      bytes = try AtomicFile.read(path, limit: 1024)
    } catch {
      throw .file(error)
    }
    guard let bytes else { return nil }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
      throw .readableByOthers(path: path, mode: UInt32(status.st_mode & 0o777))
    }
    return bytes
  }

  private static func check(_ content: ArraySlice<UInt8>) -> [UInt8] {
    Array(ContentDigest(of: Array(content)).bytes.prefix(checkLength))
  }
}
