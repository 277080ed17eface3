import Glibc

/// The reason why the kernel's Bluetooth subsystem cannot be used.
package enum KernelAccessError: Error, Hashable, Sendable {
  /// This kernel, or this container, has no Bluetooth at all.
  case noBluetooth
  /// The process lacks a permission: `capability` is the name of the Linux capability, or `nil` if the permissions of a file or
  /// device apply.
  case notPermitted(what: String, capability: String?)
  /// A call failed for another reason.
  case failed(call: String, errno: Int32)

  /// Returns the error for `code` (an `errno`), after `call` failed.
  static func of(_ code: Int32, call: String, what: String, capability: String?) -> KernelAccessError {
    switch code {
    case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT: .noBluetooth
    case EPERM, EACCES: .notPermitted(what: what, capability: capability)
    default: .failed(call: call, errno: code)
    }
  }
}

extension KernelAccessError: CustomStringConvertible {
  /// A description of the error and its remedy.
  package var description: String {
    switch self {
    case .noBluetooth:
      "this system has no Bluetooth: the kernel lacks it, its module is not loaded, or a container hides it "
        + "(try `modprobe bluetooth`; a container needs the host's network namespace)"
    case .notPermitted(let what, let capability?):
      "no permission to \(what): it needs \(capability) "
        + "(run as root, or give the service AmbientCapabilities=\(capability))"
    case .notPermitted(let what, nil):
      "no permission to \(what): run as root, or as a member of the group that may"
    case .failed(let call, let code):
      "\(call) failed: \(String(cString: strerror(code)))"
    }
  }
}
