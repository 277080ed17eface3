/// The reason why a secret of an outlet cannot be used.
enum OutletSecretFailure: Error, CustomStringConvertible {
  /// The file with this path has another length than a key.
  case noKey(String)

  var description: String {
    switch self {
    case .noKey(let path): "\(path) holds no key; delete it, and straps get new identifiers"
    }
  }
}
