import CommandProcess
import Dispatch
import Foundation

/// A program that is run for an alert, with something to read on its standard input.
struct AlertProgram {
  /// How it ended.
  enum End: Hashable {
    case succeeded
    /// With its exit status, or the signal that ended it.
    case failed(status: Int32)
    case notStarted(String)
  }

  let path: String
  var arguments: [String] = []
  /// Longer than this it does not run.
  let timeout: Duration

  /// The program's environment, of that of the station: neither the station's configuration, which may name straps by their
  /// addresses and hold a passkey, nor what is between the station and systemd.
  static func environment(_ own: [String: String]) -> [String: String] {
    let own = own.filter { !$0.key.hasPrefix("TACHOGRAM_") }
    return own.filter { !["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM"].contains($0.key) }
  }

  /// A file in memory, at its beginning: unlike a pipe it needs nobody who reads it, and no other program keeps it open.
  private static func file(holding text: String) throws -> FileHandle {
    let name = "/tachogram-\(UUID().uuidString)"
    let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    shm_unlink(name)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.seek(toOffset: 0)
    return file
  }

  /// Runs the program to its end. One that does not read what it is given may succeed all the same.
  func run(reading input: String) async -> End {
    let process = Process()
    process.environment = Self.environment(ProcessInfo.processInfo.environment)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    do {
      process.standardInput = try Self.file(holding: input)
    } catch {
      return .notStarted(ErrorReason.text(error))
    }
    process.standardOutput = FileHandle.nullDevice
    return await withCheckedContinuation { continuation in
      process.terminationHandler = { process in
        let hasSucceeded = process.terminationReason == .exit && process.terminationStatus == 0
        continuation.resume(returning: hasSucceeded ? .succeeded : .failed(status: process.terminationStatus))
      }
      do {
        try process.run()
      } catch {
        return continuation.resume(returning: .notStarted(ErrorReason.text(error)))
      }
      let identifier = process.processIdentifier
      let (seconds, attoseconds) = timeout.components
      let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        if process.isRunning { kill(identifier, SIGKILL) }
      }
    }
  }
}
