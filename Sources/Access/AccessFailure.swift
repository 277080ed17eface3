import FileSystem

/// The reason why tokens cannot be read or changed.
package enum AccessFailure: Error, Hashable, CustomStringConvertible {
  case file(AtomicFile.Failure)
  /// The file of the station's token contains no token.
  case noToken(path: String)
  /// The file of a token or of a login code cannot be decoded.
  case damaged(path: String)
  case nameTaken(String)
  case tooMany(limit: Int)

  package var description: String {
    switch self {
    case .file(let failure): failure.description
    case .noToken(let path): "\(path) contains no token; delete it, and a new one is created"
    case .damaged(let path): "\(path) is damaged; delete it, and log in again where it was used"
    case .nameTaken(let name): "a token named \(name) exists; choose another name, or revoke it first"
    case .tooMany(let limit): "there are \(limit) tokens; revoke those that are not used"
    }
  }

  /// Runs `body`, and converts the errors of files.
  static func wording<Value>(_ body: () throws(AtomicFile.Failure) -> Value) throws(AccessFailure) -> Value {
    do {
      return try body()
    } catch {
      throw .file(error)
    }
  }
}
