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
  package func read() throws(KeyFailure) -> StationKeys? {
    guard let bytes = try contents() else { return nil }
    let length = Self.start.count + 64
    guard bytes.count == length + Self.checkLength, bytes.starts(with: Self.start),
      Self.check(bytes[..<length]) == Array(bytes[length...])
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
    let content =
      Self.start + Array(keys.signing.rawRepresentation) + Array(keys.agreement.rawRepresentation)
    do {
      try AtomicFile.write(content + Self.check(content[...]), to: path, mode: 0o600)
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

  private func contents() throws(KeyFailure) -> [UInt8]? {
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
