/// What the files of the system say about Bluetooth, for the check of an installation. Every fact may be missing: the
/// kernel may lack Bluetooth, and some files are for root only.
package struct KernelFacts: Sendable {
  /// What Polar straps ask for some seconds into a connection: 312.5 to 500 ms, and a timeout of 6 s.
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
  /// bluetoothd's configuration; `nil` where there is none, which is allowed.
  package let configuration: KeyFile?
  /// What the kernel uses for each adapter; only root can read it, and only where debugfs is mounted.
  package let adapterDefaults: [String: ConnectionDefaults]

  /// Reads the facts below the root of `tree`.
  package init(_ tree: SystemTree = SystemTree()) {
    kernelRelease = tree.line("proc/sys/kernel/osrelease")
    let devices = tree.names(in: "sys/class/bluetooth")
    hasBluetooth = devices != nil
    // Connections are there too: hci0:16.
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

  /// What `adapter` begins connections with: what the kernel says, else what main.conf sets, else Linux's own values.
  package func defaults(of adapter: String) -> ConnectionDefaults {
    // bluetoothd ignores a file that it cannot read to the end.
    let configured = configuration.flatMap { $0.malformedLine == nil ? ConnectionDefaults($0) : nil }
    return (adapterDefaults[adapter] ?? ConnectionDefaults())
      .completed(with: configured ?? ConnectionDefaults()).completed(with: .kernel)
  }

  /// Whether straps will get what they ask for.
  package func verdict(of adapter: String) -> ConnectionDefaultsVerdict {
    let defaults = defaults(of: adapter)
    guard defaults.parameters != nil, let longest = defaults.maximumInterval, let wanted = Self.wish.maximumInterval
    else { return .inconsistent }
    return longest < wanted ? .refusing(longest: longest, wanted: wanted) : .accepting
  }
}
