/// The reason why a synchronisation failed.
public enum CloudKitError: Error, Hashable, Sendable {
  /// The reason why there is no connection.
  public enum NetworkReason: Hashable, Sendable {
    case noInternet
    case iCloudNotSignedIn
    case quotaExceeded
  }

  /// The other side cannot be reached.
  case networkUnavailable(NetworkReason)
  /// There were too many requests.
  case rateLimited
  /// The storage of the other side is full.
  case quotaExceeded
  /// The record does not exist on the other side.
  case recordNotFound
  /// Another error, with its description.
  case unknown(String)
}

extension CloudKitError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .networkUnavailable(.noInternet):
      "the network cannot be reached: what is to be synchronised waits until it can"
    case .networkUnavailable(.iCloudNotSignedIn):
      "no account is signed in: join a space first"
    case .networkUnavailable(.quotaExceeded), .quotaExceeded:
      "there is no room for more on the other side: delete something there, or have its quota raised"
    case .rateLimited:
      "the other side was asked too often: it is asked again later"
    case .recordNotFound:
      "the record is not on the other side: synchronise everything once"
    case .unknown(let text):
      text
    }
  }
}
