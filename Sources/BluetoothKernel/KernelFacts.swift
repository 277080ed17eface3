/// The facts about Bluetooth in the files of the system, for the check of an installation. Every fact may be missing: the
/// kernel may lack Bluetooth, and only root can read some files.
package struct KernelFacts: Sendable {
  /// The parameters that Polar straps request some seconds into a connection: 312.5 to 500 ms, and a timeout of 6 s.
  package static let wish = ConnectionDefaults(
    minimumInterval: 250, maximumInterval: 400, latency: 0, supervisionTimeout: 600)

  private static let configurationPath = "etc/bluetooth/main.conf"

  /// The release of the kernel: 6.1.0-18-arm64.
  package let kernelRelease: String?
  /// Whether the kernel has Bluetooth at all.
  package let hasBluetooth: Bool
  /// The adapters by name: hci0.
  package let adapters: [String]
  package let switches: [RFKillSwitch]
  /// The configuration of bluetoothd, or `nil` if there is no such file, which is allowed.
  package let configuration: KeyFile?
  /// The parameters that the kernel uses for each adapter. Only root can read them, and only if debugfs is mounted.
  package let adapterDefaults: [String: ConnectionDefaults]

  /// Reads the facts below the root of `tree`.
  package init(_ tree: SystemTree = SystemTree()) {
    kernelRelease = tree.line("proc/sys/kernel/osrelease")
    let devices = tree.names(in: "sys/class/bluetooth")
    hasBluetooth = devices != nil
    // The folder also lists connections: hci0:16.
    adapters = (devices ?? []).filter { $0.hasPrefix("hci") && UInt16($0.dropFirst(3)) != nil }
    switches = RFKill(tree).switches()
    configuration = tree.text(Self.configurationPath).map { KeyFile($0) }
    var defaults: [String: ConnectionDefaults] = [:]
    for adapter in adapters {
      let folder = "sys/kernel/debug/bluetooth/\(adapter)"
      guard let maximum = tree.number("\(folder)/conn_max_interval") else { continue }
      defaults[adapter] = ConnectionDefaults(
        minimumInterval: tree.number("\(folder)/conn_min_interval"), maximumInterval: maximum,
        latency: tree.number("\(folder)/conn_latency"), supervisionTimeout: tree.number("\(folder)/supervision_timeout")
      )
    }
    adapterDefaults = defaults
  }

  /// Returns the parameters with which `adapter` begins connections: those of the kernel, else those of main.conf, else the
  /// defaults of Linux.
  package func defaults(of adapter: String) -> ConnectionDefaults {
    // bluetoothd ignores a file that it cannot parse completely.
    let configured = configuration.flatMap { $0.malformedLine == nil ? ConnectionDefaults($0) : nil }
    return (adapterDefaults[adapter] ?? ConnectionDefaults())
      .completed(with: configured ?? ConnectionDefaults()).completed(with: .kernel)
  }

  /// Returns whether straps will get the parameters that they request.
  package func verdict(of adapter: String) -> ConnectionDefaultsVerdict {
    let defaults = defaults(of: adapter)
    guard defaults.parameters != nil, let longest = defaults.maximumInterval, let wanted = Self.wish.maximumInterval
    else { return .inconsistent }
    return longest < wanted ? .refusing(longest: longest, wanted: wanted) : .accepting
  }
}
