import BluetoothKernel

/// The operating system and the model of the machine.
package struct SystemFacts: Hashable, Sendable {
  /// `Debian GNU/Linux 12 (bookworm)`.
  package var name: String?
  /// `6.1.0-rpi8`.
  package var kernel: String?
  /// `Raspberry Pi Zero 2 W Rev 1.0`, of machines that have a device tree.
  package var model: String?
  package var isContainer = false
  package var hasSystemd = true

  package init() {}

  /// Reads the files of `tree`; `environment` shows whether this is a container.
  package init(_ tree: SystemTree, environment: [String: String]) {
    let release = tree.line("etc/os-release") ?? tree.line("usr/lib/os-release") ?? ""
    name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
    kernel = tree.line("proc/sys/kernel/osrelease")
    model = tree.line("proc/device-tree/model").map { $0.filter { $0 != "\0" } }
    isContainer =
      !(environment["container"] ?? "").isEmpty || tree.exists(".dockerenv") || tree.exists("run/.containerenv")
    hasSystemd = tree.exists("run/systemd/system")
  }
}
