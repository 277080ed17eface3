import FileSystem

/// The reason why a store cannot be opened.
package enum StoreAddressFailure: Error, CustomStringConvertible {
  case invalid(String)
  /// There is no token for a server.
  case noToken
  /// The file of a token or a certificate does not exist.
  case missingFile(path: String)
  /// The file of a token or a certificate, or standard input, is empty.
  case emptyFile(path: String)
  /// The text of a file is no token.
  case invalidToken(path: String)
  case file(AtomicFile.Failure)

  package var description: String {
    switch self {
    case .invalid(let text):
      "\"\(text)\" is neither the path of a folder nor a URL that begins with https:// (http:// is for this machine alone)"
    case .noToken: "a sync server needs a token: name the file that has it with --token-file"
    case .missingFile(let path): "\(path) does not exist"
    case .emptyFile(let path): "\(path == "-" ? "standard input" : path) is empty"
    case .invalidToken(let path):
      "\(path == "-" ? "standard input" : path) has no token: a token is one line of ASCII letters, digits and signs"
    case .file(let failure): failure.description
    }
  }
}
