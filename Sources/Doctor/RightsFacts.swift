import BluetoothKernel

/// The user who runs the program, and the permissions of the process.
package struct RightsFacts: Hashable, Sendable {
  /// Bits of capability.h.
  private static let netAdmin = 12
  private static let netRaw = 13

  package var userID: UInt32 = 0
  package var user: String?
  /// CAP_NET_RAW, for reading the controller's packets.
  package var canCapture = false
  /// CAP_NET_ADMIN, for receiving the reasons of disconnections and setting the parameters of connections.
  package var canManage = false
  /// Whether the group `bluetooth` exists, the user is entered in it, and this process has it.
  package var bluetoothGroupExists = false
  package var isMember = false
  package var isActiveMember = false

  package init() {}

  /// Reads `/proc/self/status`, `/etc/passwd` and `/etc/group` of `tree`.
  package init(_ tree: SystemTree) {
    var groups: Set<Substring> = []
    for line in (tree.text("proc/self/status") ?? "").split(separator: "\n") {
      let words = line.split { $0 == "\t" || $0 == " " }
      switch words.first {
      case "CapEff:":
        let mask = words.dropFirst().first.flatMap { UInt64($0, radix: 16) } ?? 0
        canCapture = mask >> UInt64(Self.netRaw) & 1 == 1
        canManage = mask >> UInt64(Self.netAdmin) & 1 == 1
      case "Uid:": userID = words.dropFirst(2).first.flatMap { UInt32($0) } ?? 0
      case "Gid:": if words.count > 2 { groups.insert(words[2]) }
      case "Groups:": groups.formUnion(words.dropFirst())
      default: break
      }
    }
    let entries = Self.entries(tree.text("etc/passwd"))
    user = entries.first { $0.count > 2 && UInt32($0[2]) == userID }.map { String($0[0]) }
    if let group = Self.entries(tree.text("etc/group")).first(where: { $0.first == "bluetooth" && $0.count > 3 }) {
      bluetoothGroupExists = true
      isActiveMember = groups.contains(group[2])
      isMember = isActiveMember || group[3].split(separator: ",").contains { String($0) == user }
    }
  }

  private static func entries(_ text: String?) -> [[Substring]] {
    (text ?? "").split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
  }
}
