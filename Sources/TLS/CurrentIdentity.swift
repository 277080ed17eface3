import Synchronization

/// The identity for new connections. It can be replaced, because certificates are renewed while the station runs.
package final class CurrentIdentity: Sendable {
  private let identity: Mutex<TLSIdentity>

  package init(_ identity: TLSIdentity) {
    self.identity = Mutex(identity)
  }

  package var value: TLSIdentity {
    get { identity.withLock { $0 } }
    set { identity.withLock { $0 = newValue } }
  }
}
