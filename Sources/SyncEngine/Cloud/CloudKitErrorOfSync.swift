import StressKit
import Sync

extension CloudKitError {
  /// Creates the error of the apps for the reason why a station cannot synchronise.
  package init(_ failure: SyncFailure) {
    self =
      switch failure {
      case .noSpace: .networkUnavailable(.iCloudNotSignedIn)
      case .store(.full): .quotaExceeded
      case .store(.unavailable(retryAfter: .some)): .rateLimited
      case .store(.unavailable(retryAfter: nil)), .store(.unreachable): .networkUnavailable(.noInternet)
      default: .unknown(failure.description)
      }
  }
}
