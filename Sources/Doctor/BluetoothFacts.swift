import BluetoothKernel

/// The facts about Bluetooth from the bus, bluetoothd and the kernel.
package struct BluetoothFacts: Hashable, Sendable {
  /// The reason why the system bus, or bluetoothd on it, could not be asked.
  package enum BusError: Hashable, Sendable {
    /// No bus accepts connections at the address.
    case noBus(address: String)
    /// The bus does not allow messages to bluetoothd; the value is its message.
    case denied(String)
    case other(String)
  }

  package enum Daemon: Hashable, Sendable {
    /// Unknown, because the bus could not be reached.
    case unknown
    case running
    /// The name `org.bluez` has no owner.
    case absent
    /// bluetoothd owns the name and does not reply.
    case hanging(seconds: Double)
    /// bluetoothd replies with an error, described in the value.
    case failing(String)
  }

  package struct Adapter: Hashable, Sendable {
    /// `hci0`.
    package var name: String
    package var address: String
    package var isPowered: Bool
    /// Whether it can be the central of Low Energy links, or `nil` if unknown.
    package var hasLowEnergy: Bool?
    package var isSoftBlocked = false
    package var isHardBlocked = false
    /// Whether it is scanning, but not only for this process.
    package var isDiscovering = false

    /// Whether it can receive straps.
    package var isUsable: Bool { isPowered && hasLowEnergy != false && !isSoftBlocked && !isHardBlocked }
  }

  package var busError: BusError?
  package var daemon = Daemon.unknown
  /// The version of bluetoothd, such as `5.66`, or `nil` if unknown.
  package var version: String?
  /// The path of bluetoothd, or `nil` if it is not installed.
  package var program: String?
  package var adapters: [Adapter] = []
  /// The address of the only adapter that may be used; `nil` for any.
  package var wantedAdapter: String?
  /// The kernel's controllers, such as `hci0`; bluetoothd may not manage all of them.
  package var controllers: [String] = []
  /// The kernel's adapters, read if bluetoothd cannot be asked, or `nil` if they were not read.
  package var kernelAdapters: [KernelAdapter]?
  /// Bluetooth switches of the kernel that are off, whether or not there is an adapter behind them.
  package var switches: [RFKillSwitch] = []

  package init() {}
}
