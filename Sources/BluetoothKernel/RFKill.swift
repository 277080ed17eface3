import Glibc

/// The kernel's switches for radios (kernel `Documentation/driver-api/rfkill.rst`).
package struct RFKill: Sendable {
  private static let folder = "sys/class/rfkill"
  private static let device = "dev/rfkill"
  /// `RFKILL_TYPE_BLUETOOTH` and `RFKILL_OP_CHANGE`.
  private static let bluetooth: UInt8 = 2
  private static let change: UInt8 = 2

  private let tree: SystemTree

  package init(_ tree: SystemTree = SystemTree()) {
    self.tree = tree
  }

  /// Returns the switches of Bluetooth radios, in the order of their indices; empty if the kernel has none. A switch that is
  /// removed during the call is omitted.
  package func switches() -> [RFKillSwitch] {
    (tree.names(in: Self.folder) ?? []).compactMap { name in
      let path = "\(Self.folder)/\(name)"
      guard name.hasPrefix("rfkill"), let index = UInt32(name.dropFirst("rfkill".count)),
        tree.line("\(path)/type") == "bluetooth", let soft = tree.number("\(path)/soft"),
        let hard = tree.number("\(path)/hard")
      else { return nil }
      return RFKillSwitch(
        index: index, name: tree.line("\(path)/name") ?? name, isSoftBlocked: soft != 0, isHardBlocked: hard != 0)
    }.sorted { $0.index < $1.index }
  }

  /// Returns whether an adapter (hci0) is blocked.
  package func isBlocked(_ adapter: String) -> Bool {
    switches().contains { $0.name == adapter && ($0.isSoftBlocked || $0.isHardBlocked) }
  }

  /// Removes the soft block of a switch. A hard block remains, and the kernel reports no error for it.
  package func unblock(_ radio: RFKillSwitch) throws(KernelAccessError) {
    let what = "switch the radio on"
    let descriptor = open(tree.path(Self.device), O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .of(errno, call: "open of /dev/rfkill", what: what, capability: nil) }
    defer { close(descriptor) }
    let event = Self.event(index: radio.index)
    var count = 0
    repeat {
      count = write(descriptor, event, event.count)
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .of(errno, call: "write to /dev/rfkill", what: what, capability: nil) }
  }

  /// `struct rfkill_event`: index in native byte order, type, operation, soft, hard.
  static func event(index: UInt32) -> [UInt8] {
    withUnsafeBytes(of: index) { Array($0) } + [bluetooth, change, 0, 0]
  }
}
