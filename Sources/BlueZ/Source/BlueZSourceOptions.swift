import DBus
import TachogramCore

/// The options of a radio source.
package struct BlueZSourceOptions: Sendable {
  /// A strap to follow.
  package struct Strap: Hashable, Sendable {
    package var selector: StrapSelector
    /// Whether to bond with the strap if it is not bonded.
    package var wantsBond: Bool
    /// The notification transport to try first.
    package var way: NotificationTransport
    /// The measurement streams to receive beside the heart rate.
    package var streams: [SensorStreamRequest]

    package init(
      _ selector: StrapSelector, wantsBond: Bool = false, way: NotificationTransport = .acquire,
      streams: [SensorStreamRequest] = [],
    ) {
      self.selector = selector
      self.wantsBond = wantsBond
      self.way = way
      self.streams = streams
    }
  }

  package var bus: DBusBus = .system
  /// The straps, by ordinal.
  package var straps: [Strap]
  /// The address of the adapter to use, or `nil` for any. The name of an adapter may change.
  package var adapter: BluetoothAddress?
  /// Returns whether rfkill blocks an adapter. Available only on the system's own bus, where the kernel can be accessed.
  package var isBlocked: AdapterCondition.Blocked?
  package var timing = LinkTiming()
  package var streamTiming = SensorStreamTiming()
  /// Called for each measurement stream that does not run, on any thread.
  package var reportStream: @Sendable (SensorStreamReport) -> Void = { _ in }
  /// The way in which straps are searched for first. Passive searching is used only if the daemon offers it.
  package var search = ScanMode.passive
  /// The prompt for bonding. If `nil`, only straps that need no reply can bond.
  package var prompt: (any PairingPromptProtocol)?
  /// The identifier of the current boot of this machine, or `nil` if it is not known.
  package var bootID: String?
  /// The seed of the random variation of retries.
  package var seed: UInt64 = 0

  package init(straps: [Strap]) {
    self.straps = straps
  }
}
