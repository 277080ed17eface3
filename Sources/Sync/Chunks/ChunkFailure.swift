/// The reason why the content of a chunk cannot be encoded.
package enum ChunkFailure: Error, Hashable {
  /// There are more items or bytes than the layout permits. `field` is what exceeds its limit.
  case tooLarge(field: String, limit: Int)
  /// The compression failed, because there is no memory.
  case noMemory
}

extension ChunkFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let field, let limit): "\(field) too large for one chunk; the limit is \(limit)"
    case .noMemory: "there is no memory for compression"
    }
  }
}
