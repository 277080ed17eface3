/// Why something was not synchronised.
public enum CloudKitError: Error, Hashable, Sendable {
  /// Why there is no connection.
  public enum NetworkReason: Hashable, Sendable {
    case noInternet
    case iCloudNotSignedIn
    case quotaExceeded
  }

  /// The other side cannot be reached.
  case networkUnavailable(NetworkReason)
  /// It was asked too often.
  case rateLimited
  /// There is no room for more.
  case quotaExceeded
  /// The record is not there.
  case recordNotFound
  /// Something else; the text says what.
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
