import Access
import FileSystem
import Glibc
import Outlets

/// The secrets of outlets: files that the configuration names, credentials of systemd, and the key of the identifiers of straps.
struct OutletSecrets {
  /// The folder of the credentials that systemd gave the station, or `nil` for none.
  let credentials: String?
  /// The path of the database, beside which the key is kept.
  let database: String

  private var keyPath: String { AccessFolder.path(beside: database, "outlets.key") }

  /// Returns the secret in a file, without the white space around it, or in a credential, or `nil` if there is neither. A named file
  /// must exist.
  func secret(file: String?, credential: String) throws(AtomicFile.Failure) -> String? {
    if let file {
      guard let bytes = try AtomicFile.read(file, limit: 4096) else {
        throw AtomicFile.Failure(path: file, action: .read, reason: .system(ENOENT))
      }
      return Self.text(bytes)
    }
    guard let credentials, let bytes = try AtomicFile.read("\(credentials)/\(credential)", limit: 4096) else {
      return nil
    }
    return Self.text(bytes)
  }

  /// Returns the key, which is created the first time.
  func key() throws -> OutletKey {
    if let bytes = try AtomicFile.read(keyPath) {
      guard let key = OutletKey(bytes: bytes) else { throw OutletSecretFailure.noKey(keyPath) }
      return key
    }
    let bytes = OutletKey.makeBytes()
    try AtomicFile.write(bytes, to: keyPath)
    guard let key = OutletKey(bytes: bytes) else { throw OutletSecretFailure.noKey(keyPath) }
    return key
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmed
  }
}

extension String {
  /// The text without white space at both ends.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
