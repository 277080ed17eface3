import FileSystem

/// The reason why keys cannot be read, made or used.
package enum KeyFailure: Error, Hashable {
  case file(AtomicFile.Failure)
  /// The file contains no keys of a station.
  case damaged(path: String)
  /// Other users can read the file; its permissions, such as 0o644.
  case readableByOthers(path: String, mode: UInt32)
  /// The public keys of a station, or their signature, are not valid.
  case invalidIdentity
  /// A private key does not have 32 bytes.
  case invalidKey
  case cannotSign
}

extension KeyFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file(let failure): failure.description
    case .damaged(let path): "\(path) contains no keys; restore it from a backup, or delete it and join the space again"
    case .readableByOthers(let path, let mode):
      "\(path) has mode \(String(mode, radix: 8)); others may have copied the keys. Run chmod 600 \(path)"
    case .invalidIdentity: "the public keys of the station are not valid"
    case .invalidKey: "the key is not valid"
    case .cannotSign: "the signature cannot be made"
    }
  }
}
