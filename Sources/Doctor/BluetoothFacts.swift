import BluetoothKernel

/// What the bus, bluetoothd and the kernel say of Bluetooth.
package struct BluetoothFacts: Hashable, Sendable {
  /// Why the system bus, or bluetoothd on it, could not be asked.
  package enum BusError: Hashable, Sendable {
    /// There is nothing at the bus's address.
    case noBus(address: String)
    /// The bus is there, and refuses; its own words.
    case denied(String)
    case other(String)
  }

  package enum Daemon: Hashable, Sendable {
    /// Nobody asked, because the bus could not be reached.
    case unknown
    case running
    /// Nobody owns `org.bluez`.
    case absent
    /// It owns the name, and does not answer.
    case hanging(seconds: Double)
    /// It answers with an error; in words.
    case failing(String)
  }

  package struct Adapter: Hashable, Sendable {
    /// `hci0`.
    package var name: String
    package var address: String
    package var isPowered: Bool
    /// Whether it can be the central of Low Energy links; `nil` when that is not known.
    package var hasLowEnergy: Bool?
    package var isSoftBlocked = false
    package var isHardBlocked = false
    /// Whether it is scanning now.
    package var isDiscovering = false

    /// Whether straps can be heard with it.
    package var isUsable: Bool { isPowered && hasLowEnergy != false && !isSoftBlocked && !isHardBlocked }
  }

  package var busError: BusError?
  package var daemon = Daemon.unknown
  /// The version of bluetoothd, such as `5.66`; `nil` when it is not known.
  package var version: String?
  /// Where the program bluetoothd is; `nil` when it is not installed.
  package var program: String?
  package var adapters: [Adapter] = []
  /// The address of the only adapter that may be used; `nil` for any.
  package var wantedAdapter: String?
  /// Controllers that the kernel has, such as `hci0`; bluetoothd may not have taken all of them.
  package var controllers: [String] = []
  /// What the kernel itself says of its adapters, where bluetoothd cannot be asked; `nil` where the kernel was not.
  package var kernelAdapters: [KernelAdapter]?
  /// Bluetooth switches of the kernel that are off, whether or not there is an adapter behind them.
  package var switches: [RFKillSwitch] = []

  package init() {}
}
