import Foundation
import Glibc
import Synchronization

/// A private D-Bus daemon. It is invisible on the machine's buses and ends with this object or with the process.
package final class PrivateBus: Sendable {
  package enum Failure: Error, CustomStringConvertible {
    case notInstalled(String)
    case didNotStart(String)

    package var description: String {
      switch self {
      case .notInstalled(let path):
        "\(path) is missing: run tools/lib/setup, or install the packages dbus and libglib2.0-bin"
      case .didNotStart(let reason): "the private D-Bus daemon did not start: \(reason)"
      }
    }
  }

  private static let daemonPath = "/usr/bin/dbus-daemon"

  /// The address to connect to.
  package let address: String
  private let daemon: pid_t
  private let folder: URL
  /// The shell that ends the daemon when its standard input ends, which is when this process ends.
  private let keeper: Mutex<Keeper?>

  // Process and Pipe are not Sendable; they are only accessed under the lock.
  private struct Keeper: @unchecked Sendable {
    let shell: Process
    let life: Pipe
  }

  /// Starts a daemon and waits for its address. Blocks for some milliseconds, at most for `timeout`.
  package static func start(timeout: Duration = .seconds(10)) async throws -> PrivateBus {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try PrivateBus(timeout: timeout) })
      }
    }
  }

  private init(timeout: Duration) throws {
    guard access(Self.daemonPath, X_OK) == 0 else { throw Failure.notInstalled(Self.daemonPath) }
    // Not the system's temporary folder, whose path may exceed the limit for sockets.
    folder = URL(fileURLWithPath: "/tmp/tachogram-bus-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let life = Pipe()
    let output = Pipe()
    let shell = Process()
    do {
      let configuration = folder.appendingPathComponent("bus.conf")
      try Self.configuration(socket: folder.appendingPathComponent("bus").path)
        .write(to: configuration, atomically: true, encoding: .utf8)
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        """
        "$0" --nofork --nopidfile --print-address=1 --print-pid=1 --config-file="$1" </dev/null &
        exec >/dev/null
        read -r _
        kill -9 $! 2>/dev/null
        rm -rf "$2"
        """,
        Self.daemonPath, configuration.path, folder.path,
      ]
      shell.standardInput = life
      shell.standardOutput = output
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      (address, daemon) = try Self.greeting(from: output.fileHandleForReading.fileDescriptor, timeout: timeout)
    } catch {
      try? life.fileHandleForWriting.close()
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    keeper = Mutex(Keeper(shell: shell, life: life))
  }

  deinit { close() }

  /// Kills the daemon, as if it had crashed. Its connections are lost.
  package func simulateLoss() {
    keeper.withLock { keeper in
      if keeper != nil { kill(daemon, SIGKILL) }
    }
  }

  /// Ends the daemon and removes its folder. Idempotent.
  package func close() {
    let ended = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    guard let ended else { return }
    kill(daemon, SIGKILL)
    try? ended.life.fileHandleForWriting.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: - Starting

  /// Reads the address and the process identifier, one on each line.
  private static func greeting(from descriptor: Int32, timeout: Duration) throws -> (String, pid_t) {
    let end = ContinuousClock.now + timeout
    var text: [UInt8] = []
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { throw Failure.didNotStart("no address within \(timeout)") }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(clamping: Int(left) + 1)) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw Failure.didNotStart("it ended before it gave its address") }
      text += buffer.prefix(count)
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, let daemon = pid_t(lines[1]), daemon > 1 else {
      throw Failure.didNotStart("it printed \(lines)")
    }
    return (String(lines[0]), daemon)
  }

  /// Returns a configuration that allows everything, with limits as on a session bus.
  private static func configuration(socket: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="max_match_rules_per_connection">50000</limit>
      <limit name="max_replies_per_connection">50000</limit>
      <limit name="max_names_per_connection">50000</limit>
    </busconfig>

    """
  }
}
