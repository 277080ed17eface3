import Foundation

/// Makes programs for tests.
package enum ProgramFile {
  /// Writes a script that can be run, and the folders above it. Another process does it: whatever the tests start meanwhile
  /// would keep a file that this one writes open for a moment, and a program that is open for writing cannot be run.
  package static func write(_ script: String, to path: String, mode: String = "755") async throws {
    let commands = "mkdir -p \"${0%/*}\" && printf %s \"$1\" >\"$0\" && chmod \"$2\" \"$0\""
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", commands, path, script, mode], environment: ["PATH": "/usr/bin:/bin"])
    guard ending.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["message": ending.errors]) }
  }
}
