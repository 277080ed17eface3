import Glibc
import Threads

/// A file descriptor received or sent in a message. It is closed with the last reference to this object.
package final class DBusFileDescriptor: Sendable {
  private let number: Guarded<Int32?>

  /// Takes ownership of `descriptor` and closes it on deinitialisation.
  package init(owning descriptor: Int32) {
    number = Guarded(descriptor)
  }

  deinit {
    if let descriptor = release() { close(descriptor) }
  }

  /// Transfers the ownership of the descriptor to the caller, which must close it. Returns `nil` if it was transferred before.
  package func release() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// Calls `body` with the descriptor, which cannot be released during the call.
  func withDescriptor<Value: Sendable>(_ body: (Int32?) -> Value) -> Value {
    number.withLock { body($0) }
  }
}

extension DBusFileDescriptor: Hashable {
  package static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
