import FileSystem

/// The reason why a store cannot be opened.
package enum StoreAddressFailure: Error, CustomStringConvertible {
  case invalid(String)
  /// There is no token for a server.
  case noToken
  /// The text of a token, or the certificate, cannot be used.
  case invalidFile(path: String)
  case file(AtomicFile.Failure)

  package var description: String {
    switch self {
    case .invalid(let text):
      "\(text) is neither the path of a folder nor a URL that begins with https:// (http:// is for this machine alone)"
    case .noToken: "a sync server needs a token: name the file that has it with --token-file"
    case .invalidFile(let path): "\(path) is empty, or too large"
    case .file(let failure): failure.description
    }
  }
}
