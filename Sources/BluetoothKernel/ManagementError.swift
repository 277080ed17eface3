/// The reason why a request to the management interface failed.
package enum ManagementError: Error, Hashable, Sendable {
  /// The kernel refused the command.
  case refused(ManagementCommand, ManagementStatus)
  case timedOut(ManagementCommand)
  case cancelled
  /// The socket was closed, or failed.
  case closed
  /// The answer is malformed.
  case unexpected(ManagementPacketError)
  case access(KernelAccessError)
}

extension ManagementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .refused(let command, .permissionDenied):
      "the kernel refused to \(command.purpose): it needs CAP_NET_ADMIN "
        + "(run as root, or give the service AmbientCapabilities=CAP_NET_ADMIN)"
    case .refused(let command, .blockedByRFKill):
      "the kernel refused to \(command.purpose): the radio is switched off (try `rfkill unblock bluetooth`)"
    case .refused(let command, let status): "the kernel refused to \(command.purpose): \(status)"
    case .timedOut(let command): "the kernel did not answer when asked to \(command.purpose)"
    case .cancelled: "the request to the Bluetooth management interface was cancelled"
    case .closed: "the Bluetooth management socket is closed"
    case .unexpected(let error): "the Bluetooth management interface answered strangely: \(error)"
    case .access(let error): error.description
    }
  }
}
