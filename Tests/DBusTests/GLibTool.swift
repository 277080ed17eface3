import Foundation
import TachogramTestKit

extension ChildProcess {
  /// Runs GLib's D-Bus tool on a bus. Its `--address` does not register with the bus for `emit`, so it is told the
  /// address as that of the session bus.
  static func gdbus(_ command: String, on bus: PrivateBus, _ arguments: [String]) async throws -> Ending {
    let path = "/usr/bin/gdbus"
    guard FileManager.default.isExecutableFile(atPath: path) else { throw PrivateBus.Failure.notInstalled(path) }
    return try await run(
      URL(fileURLWithPath: path), [command, "--session"] + arguments,
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"])
  }
}
