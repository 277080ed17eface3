import Synchronization

/// The identity that new connections get; certificates are renewed while the station runs.
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
