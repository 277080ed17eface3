import Foundation
import TachogramTestKit

/// What a program did.
struct ToolRun {
  var status: Int32
  var output: String
  var error: String

  /// Runs GLib's D-Bus tool on a bus. Its `--address` does not register with the bus for `emit`, so it is told the
  /// address as that of the session bus.
  static func gdbus(_ command: String, on bus: PrivateBus, _ arguments: [String]) async throws -> ToolRun {
    let path = "/usr/bin/gdbus"
    guard FileManager.default.isExecutableFile(atPath: path) else { throw PrivateBus.Failure.notInstalled(path) }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            let process = Process()
            let (output, error) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = [command, "--session"] + arguments
            process.environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = error
            try process.run()
            // Both are far shorter than a pipe holds.
            let texts = try [output, error].map { try $0.fileHandleForReading.readToEnd() ?? Data() }
            process.waitUntilExit()
            return ToolRun(
              status: process.terminationStatus, output: String(decoding: texts[0], as: UTF8.self),
              error: String(decoding: texts[1], as: UTF8.self))
          })
      }
    }
  }
}
