import FileSystem

/// What this station needs to use a sync server: the token and, for a certificate of one's own, the authority that signed it. They
/// are in files beside the keys, which only their owner can read.
package struct StoreCredentials: Sendable {
  private static let (longestToken, longestAuthority) = (4096, 1 << 20)

  private let folder: String

  /// Creates the credentials in the folder of the keys.
  package init(keyFile: String) {
    folder = AtomicFile.folder(of: keyFile) ?? "."
  }

  private var tokenPath: String { "\(folder)/token" }
  private var authorityPath: String { "\(folder)/authority.pem" }

  /// The path of the certificates to trust in place of the system's, or `nil` if there are none.
  package func authority() throws(StoreAddressFailure) -> String? {
    try read(authorityPath, limit: Self.longestAuthority) == nil ? nil : authorityPath
  }

  /// Returns the token. Throws `noToken` if there is none.
  package func token() throws(StoreAddressFailure) -> String {
    guard let bytes = try read(tokenPath, limit: Self.longestToken) else { throw .noToken }
    return try Self.token(bytes, of: tokenPath)
  }

  /// Keeps the token and the authority in files; `-` is standard input.
  package func keep(tokenFile: String?, authorityFile: String?) throws(StoreAddressFailure) {
    if let tokenFile {
      let bytes =
        tokenFile == "-" ? Array((readLine() ?? "").utf8) : try contents(tokenFile, limit: Self.longestToken)
      try write(Array(try Self.token(bytes, of: tokenFile).utf8), to: tokenPath)
    }
    if let authorityFile {
      let bytes = try contents(authorityFile, limit: Self.longestAuthority)
      guard !bytes.isEmpty else { throw .emptyFile(path: authorityFile) }
      try write(bytes, to: authorityPath)
    }
  }

  /// Deletes the files.
  package func remove() throws(StoreAddressFailure) {
    do {
      for path in [tokenPath, authorityPath] { _ = try AtomicFile.remove(path) }
    } catch {
      throw .file(error)
    }
  }

  private static func token(_ bytes: [UInt8], of path: String) throws(StoreAddressFailure) -> String {
    let token = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    if token.isEmpty { throw .emptyFile(path: path) }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidToken(path: path) }
    return token
  }

  private func contents(_ path: String, limit: Int) throws(StoreAddressFailure) -> [UInt8] {
    guard let bytes = try read(path, limit: limit) else { throw .missingFile(path: path) }
    return bytes
  }

  private func read(_ path: String, limit: Int) throws(StoreAddressFailure) -> [UInt8]? {
    do {
      return try AtomicFile.read(path, limit: limit)
    } catch {
      throw .file(error)
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(StoreAddressFailure) {
    do {
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(bytes, to: path, mode: 0o600)
    } catch {
      throw .file(error)
    }
  }
}
