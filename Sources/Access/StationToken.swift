import FileSystem

/// The station's own token, in a file beside the database that only the service can read. `tachogram token` shows it. Its scope
/// is full.
package struct StationToken: Sendable {
  /// The least length of a token, in bytes.
  private static let least = 32

  package let path: String

  /// Creates the token beside `database`.
  package init(database: String) {
    path = AccessFolder.path(beside: database, "token")
  }

  /// Returns the token, or `nil` if there is none.
  package func read() throws(AccessFailure) -> String? {
    let path = path
    guard let bytes = try AccessFailure.wording({ () throws(AtomicFile.Failure) in try AtomicFile.read(path) }) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard text.utf8.count >= Self.least else { throw .noToken(path: path) }
    return text
  }

  /// Returns the token. Creates it if there is none.
  package func readOrMake() throws(AccessFailure) -> String {
    if let token = try read() { return token }
    return try make()
  }

  /// Creates a token that replaces the previous one.
  @discardableResult
  package func make() throws(AccessFailure) -> String {
    let (path, token) = (path, Secret.make())
    try AccessFailure.wording { () throws(AtomicFile.Failure) in
      if let folder = AtomicFile.folder(of: path) { try AtomicFile.makeFolder(folder) }
      try AtomicFile.write(Array((token + "\n").utf8), to: path)
    }
    return token
  }
}
