import CommandProcess
import FoundationEssentials
import Subprocess
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that is run for an alert, with a message on its standard input.
struct AlertProgram {
  /// The result of a program.
  enum End: Hashable {
    case succeeded
    /// The program failed, with its exit status or the signal that ended it.
    case failed(status: Int32)
    case notStarted(String)
  }

  let path: String
  var arguments: [String] = []
  /// The time after which the program is killed.
  let timeout: Duration

  /// The program's environment, of that of the station: neither the station's configuration, which may name straps by their
  /// addresses and hold a passkey, nor what is between the station and systemd.
  static func environment(_ own: [String: String]) -> [String: String] {
    let own = own.filter { !$0.key.hasPrefix("TACHOGRAM_") }
    return own.filter { !["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM"].contains($0.key) }
  }

  /// A file in memory, at its beginning. A program that does not read it may succeed all the same, unlike with a pipe, and no
  /// other program keeps it open.
  private static func file(holding text: String) throws -> FileDescriptor {
    let name = "/tachogram-\(UInt64.random(in: .min ... .max))"
    let descriptor = FileDescriptor(rawValue: shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600))
    guard descriptor.rawValue >= 0 else { throw Errno(rawValue: errno) }
    shm_unlink(name)
    do {
      try descriptor.writeAll(text.utf8)
      try descriptor.seek(offset: 0, from: .start)
    } catch {
      try? descriptor.close()
      throw error
    }
    return descriptor
  }

  /// Runs the program until it exits or is killed.
  func run(reading input: String) async -> End {
    do {
      let variables = Self.environment(ProcessInfo.processInfo.environment)
      let environment = Dictionary(
        uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
      let input = try Self.file(holding: input)
      let program = Task { [path, arguments] in
        try await Subprocess.run(
          .path(FilePath(path)), arguments: Arguments(arguments), environment: .custom(environment),
          input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .discarded
        ).terminationStatus
      }
      // Cancelling kills the program.
      let timer = Task {
        try await Task.sleep(for: timeout)
        program.cancel()
      }
      defer { timer.cancel() }
      return switch try await program.value {
      case .exited(0): .succeeded
      case .exited(let status), .signaled(let status): .failed(status: status)
      }
    } catch {
      return .notStarted(ErrorReason.text(error))
    }
  }
}
