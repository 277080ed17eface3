/// The reason why a chunk cannot be sealed or opened.
package enum EnvelopeFailure: Error, Hashable {
  /// The content does not fit into a body; the limit in bytes.
  case tooLarge(limit: Int)
  /// The key is that of another epoch.
  case wrongEpoch(expected: UInt32, key: UInt32)
  /// The body was deleted.
  case noBody
  /// The signature is not that of the author.
  case wrongSignature
  /// The body is not that of the header.
  case wrongBody
  /// The key does not open the body.
  case cannotOpen
  /// The opened content is not padded as it must be.
  case wrongPadding
  case key(KeyFailure)
  case cannotSeal
}

extension EnvelopeFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the content is too large; the limit is \(limit) bytes"
    case .wrongEpoch(let expected, let key):
      "the chunk is sealed to epoch \(expected), and the key is that of epoch \(key)"
    case .noBody: "the content was deleted"
    case .wrongSignature: "the signature is not that of the author"
    case .wrongBody: "the body is that of another chunk, or damaged"
    case .cannotOpen: "the key does not open the chunk"
    case .wrongPadding: "the padding is damaged"
    case .key(let failure): failure.description
    case .cannotSeal: "the content cannot be sealed"
    }
  }
}
