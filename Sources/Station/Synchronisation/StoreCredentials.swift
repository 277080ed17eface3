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
    guard let token = try text(tokenPath) else { throw .noToken }
    return token
  }

  /// Keeps the token and the authority in files; `-` is standard input.
  package func keep(tokenFile: String?, authorityFile: String?) throws(StoreAddressFailure) {
    if let tokenFile {
      guard let token = try text(tokenFile == "-" ? "/dev/stdin" : tokenFile) else {
        throw .invalidFile(path: tokenFile)
      }
      try write(Array(token.utf8), to: tokenPath)
    }
    if let authorityFile {
      guard let bytes = try read(authorityFile, limit: Self.longestAuthority), !bytes.isEmpty else {
        throw .invalidFile(path: authorityFile)
      }
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

  private func text(_ path: String) throws(StoreAddressFailure) -> String? {
    let bytes = path == "/dev/stdin" ? readLine().map { Array($0.utf8) } : try read(path, limit: Self.longestToken)
    guard let bytes else { return nil }
    let token = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidFile(path: path) }
    return token
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
