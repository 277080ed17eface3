import Synchronization

/// Whether a database was closed; shared by the copies of its value.
final class ClosedFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets the flag; `true` for the call that was the first.
  func set() -> Bool {
    !flag.exchange(true, ordering: .acquiringAndReleasing)
  }
}
