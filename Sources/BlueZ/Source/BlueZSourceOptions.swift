import DBus
import TachogramCore

/// What a radio source listens to and how.
package struct BlueZSourceOptions: Sendable {
  /// One strap that is wanted.
  package struct Strap: Hashable, Sendable {
    package var selector: StrapSelector
    /// Whether it is to be bonded when it is not.
    package var wantsBond: Bool
    /// How its notifications are asked for first.
    package var way: NotificationTransport

    package init(_ selector: StrapSelector, wantsBond: Bool = false, way: NotificationTransport = .acquire) {
      self.selector = selector
      self.wantsBond = wantsBond
      self.way = way
    }
  }

  package var bus: DBusBus = .system
  /// The straps, by ordinal.
  package var straps: [Strap]
  /// The adapter to use, by its address, since its name changes; `nil` for any.
  package var adapter: BluetoothAddress?
  /// Says whether rfkill keeps an adapter off, where the kernel may be asked: on the system's own bus.
  package var isBlocked: AdapterCondition.Blocked?
  package var timing = LinkTiming()
  /// How straps are looked for first; passive only where the daemon offers it.
  package var search = ScanMode.passive
  /// Answers when a strap is bonded; `nil` allows only what needs no answer.
  package var prompt: (any PairingPromptProtocol)?
  /// Identifies the running boot of this machine; `nil` when not known.
  package var bootID: String?
  /// Spreads the retries.
  package var seed: UInt64 = 0

  package init(straps: [Strap]) {
    self.straps = straps
  }
}
