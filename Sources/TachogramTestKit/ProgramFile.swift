import Foundation

/// A writer of executable scripts for tests.
package enum ProgramFile {
  /// Writes an executable script, and creates the folders above it. Another process writes it: programs that the tests start at
  /// the same time would briefly inherit an open file of this process, and a program that is open for writing cannot be run.
  package static func write(_ script: String, to path: String, mode: String = "755") async throws {
    let commands = "mkdir -p \"${0%/*}\" && printf %s \"$1\" >\"$0\" && chmod \"$2\" \"$0\""
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", commands, path, script, mode], environment: ["PATH": "/usr/bin:/bin"])
    guard ending.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["message": ending.errors]) }
  }
}
