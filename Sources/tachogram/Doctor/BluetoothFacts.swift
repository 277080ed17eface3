import BluetoothKernel

/// What the bus, bluetoothd and the kernel say of Bluetooth.
struct BluetoothFacts: Hashable, Sendable {
  /// Why the system bus, or bluetoothd on it, could not be asked.
  enum BusError: Hashable, Sendable {
    /// There is nothing at the bus's address.
    case noBus(address: String)
    /// The bus is there, and refuses; its own words.
    case denied(String)
    case other(String)
  }

  enum Daemon: Hashable, Sendable {
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

  struct Adapter: Hashable, Sendable {
    /// `hci0`.
    var name: String
    var address: String
    var isPowered: Bool
    /// Whether it can be the central of Low Energy links; `nil` when that is not known.
    var hasLowEnergy: Bool?
    var isSoftBlocked = false
    var isHardBlocked = false
    /// Whether it is scanning now.
    var isDiscovering = false

    /// Whether straps can be heard with it.
    var isUsable: Bool { isPowered && hasLowEnergy != false && !isSoftBlocked && !isHardBlocked }
  }

  var busError: BusError?
  var daemon = Daemon.unknown
  /// The version of bluetoothd, such as `5.66`; `nil` when it is not known.
  var version: String?
  /// Where the program bluetoothd is; `nil` when it is not installed.
  var program: String?
  var adapters: [Adapter] = []
  /// The address of the only adapter that may be used; `nil` for any.
  var wantedAdapter: String?
  /// Controllers that the kernel has, such as `hci0`; bluetoothd may not have taken all of them.
  var controllers: [String] = []
  /// What the kernel itself says of its adapters, where bluetoothd cannot be asked; `nil` where the kernel was not.
  var kernelAdapters: [KernelAdapter]?
  /// Bluetooth switches of the kernel that are off, whether or not there is an adapter behind them.
  var switches: [RFKillSwitch] = []

  init() {}
}
