import FileSystem

/// The reason why a store cannot do what was asked.
package enum StoreFailure: Error, Hashable {
  /// The store has no room.
  case full
  /// The store cannot be reached, or is busy. Try again after this time, if it named one.
  case unavailable(retryAfter: Duration?)
  /// The object is larger than `limit` bytes.
  case tooLarge(limit: Int)
  case file(AtomicFile.Failure)
}

extension StoreFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .full: "the store is full; delete data, or give it more room"
    case .unavailable(nil): "the store cannot be reached"
    case .unavailable(let time?): "the store is busy for \(time)"
    case .tooLarge(let limit): "the object is too large for the store; the limit is \(limit) bytes"
    case .file(let failure): failure.description
    }
  }
}
