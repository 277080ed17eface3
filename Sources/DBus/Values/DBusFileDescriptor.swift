import Glibc

/// A file descriptor that came with a message or goes out with one; it is closed with its last reference.
package final class DBusFileDescriptor: Sendable {
  private let number: Guarded<Int32?>

  /// Takes over `descriptor`: from now on only this object closes it.
  package init(owning descriptor: Int32) {
    number = Guarded(descriptor)
  }

  deinit {
    if let descriptor = release() { close(descriptor) }
  }

  /// The descriptor, which the caller then owns and closes; `nil` when it was taken before.
  package func release() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// Lends the descriptor: nobody can take it meanwhile.
  func withDescriptor<Value: Sendable>(_ body: (Int32?) -> Value) -> Value {
    number.withLock { body($0) }
  }
}

extension DBusFileDescriptor: Hashable {
  package static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
