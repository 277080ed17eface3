import FileSystem

/// The reason why a store cannot do what was asked.
package enum StoreFailure: Error, Hashable {
  /// The store has no room.
  case full
  /// The store cannot be reached, or is busy. Try again after this time, if it named one.
  case unavailable(retryAfter: Duration?)
  /// There is no connection to the address of the store; `reason` in the words of the network.
  case unreachable(address: String, reason: String)
  /// The store does not know the token, or it is revoked.
  case tokenRefused
  /// The token is one of another space.
  case otherSpace
  /// What answers is not a store of this kind; `reason` is what it answered.
  case notAStore(reason: String)
  /// The object is larger than `limit` bytes.
  case tooLarge(limit: Int)
  /// The task was cancelled during a request.
  case cancelled
  case file(AtomicFile.Failure)
}

extension StoreFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .full: "the store is full; delete data, or give it more room"
    case .unavailable(nil): "the store is busy, or a proxy in front of it cannot reach it; try again later"
    case .unavailable(let time?): "the store is busy for \(time)"
    case .unreachable(let address, let reason): "the store \(address) cannot be reached: \(reason)"
    case .tokenRefused: "the store refuses the token; it is wrong or revoked. \(Self.newToken)"
    case .otherSpace: "the token is for another space of the store. \(Self.newToken)"
    case .notAStore(let reason): "the address is not one of a sync server: \(reason)"
    case .tooLarge(let limit): "the object is too large for the store; the limit is \(limit) bytes"
    case .cancelled: "the request was cancelled"
    case .file(let failure): failure.description
    }
  }

  private static let newToken = "Name a new one with --token-file, as in `tachogram sync now --token-file FILE`"
}
