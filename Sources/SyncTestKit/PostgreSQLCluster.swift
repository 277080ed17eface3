import Foundation
import Glibc
import Synchronization
import TachogramTestKit

/// A PostgreSQL server of Debian's package in a temporary folder, reached by a socket there. It runs as an unprivileged user, because
/// PostgreSQL refuses to run as root. A guard stops it and deletes the folder when this object is released, or when the process of
/// the tests ends in any way.
package final class PostgreSQLCluster: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The server that tests share, each with a database of its own. It is started by the first of them.
  package static let shared = Task { try await PostgreSQLCluster() }

  private static let user = "nobody"
  private static let databaseCount = Mutex(0)

  private static let script = """
    trap '' INT TERM HUP
    control() { "$1/pg_ctl" -D "$2/data" -w "$3" -m immediate -l "$2/log" -o "$4" </dev/null >/dev/null 2>&1; }
    while read -r command; do
      control "$1" "$2" "$command" "$3"
      echo $?
    done
    control "$1" "$2" stop
    rm -rf "$2"
    """

  private let binaries: String
  private let folder: String
  /// Runs the server, because Foundation waits for all programs that a program leaves behind.
  private let warden: ChildProcess
  /// Commands for the guard, which ends when this is closed.
  private let commands: Int32

  package init() async throws {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap({ Int($0) }).max() else {
      throw Failure(description: "there is no PostgreSQL; install the Debian package postgresql")
    }
    binaries = "/usr/lib/postgresql/\(version)/bin"
    // The path of a socket has at most 107 bytes.
    folder = "/tmp/tachogram-pg-\(getpid())-\(UInt32.random(in: .min ... .max))"
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    commands = ends[1]
    let options = "-k \(folder) -c listen_addresses='' -c fsync=on -c synchronous_commit=on -c max_connections=400"
    let (program, arguments) = Self.unprivileged("/bin/sh", ["-c", Self.script, "guard", binaries, folder, options])
    warden = try ChildProcess.start(
      URL(fileURLWithPath: program), arguments, in: URL(fileURLWithPath: "/tmp"),
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
      input: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), deadline: .seconds(3600))
    try await run("/bin/mkdir", ["-m", "700", folder])
    if geteuid() == 0 { try await run("/bin/chown", [Self.user, folder]) }
    try await runUnprivileged(
      "\(binaries)/initdb",
      ["-D", "\(folder)/data", "-U", "tachogram", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
    try await start()
  }

  deinit {
    close(commands)
  }

  package func start() async throws { try await command("start") }

  /// Ends the server as a crash would.
  package func crash() async throws { try await command("stop") }

  private func command(_ command: String) async throws {
    let line = Array("\(command)\n".utf8)
    guard write(commands, line, line.count) == line.count else { throw Failure(description: "the guard ended") }
    for await answer in warden.pieces {
      guard String(decoding: answer, as: UTF8.self) == "0\n" else { break }
      return
    }
    throw Failure(description: "pg_ctl \(command) failed: \(try await log())")
  }

  /// Makes an empty database. Returns its address.
  package func makeDatabase() async throws -> String {
    let number = Self.databaseCount.withLock { count in
      count += 1
      return count
    }
    try await runUnprivileged("\(binaries)/createdb", ["-h", folder, "-U", "tachogram", "test\(number)"])
    return "postgresql://tachogram@/test\(number)?host=\(folder)"
  }

  /// The log of the server.
  package func log() async throws -> String {
    try await runUnprivileged("/bin/cat", ["\(folder)/log"])
  }

  // MARK: - Programs

  private static func unprivileged(_ program: String, _ arguments: [String]) -> (String, [String]) {
    guard geteuid() == 0 else { return (program, arguments) }
    let options = ["--reuid=\(user)", "--regid=nogroup", "--clear-groups", "--"]
    return ("/usr/bin/setpriv", options + [program] + arguments)
  }

  @discardableResult
  private func runUnprivileged(_ program: String, _ arguments: [String]) async throws -> String {
    let (program, arguments) = Self.unprivileged(program, arguments)
    return try await run(program, arguments)
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: program), arguments, in: URL(fileURLWithPath: "/tmp"),
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
    guard ending.status == 0 else { throw Failure(description: "\(program) \(arguments): \(ending.errors)") }
    return ending.text
  }
}
