import Foundation

/// A mosquitto broker of Debian's package on a free port of 127.0.0.1, with its files in a temporary folder. A guard ends it and
/// deletes the folder when this object is released, or when the process of the tests ends in any way.
package final class MosquittoBroker: Sendable {
  private static let script = """
    trap '' INT TERM HUP
    id=
    begin() {
      mosquitto -c "$1/mosquitto.conf" >>"$1/log" 2>&1 &
      id=$!
      tries=0
      until [ "$(grep -c ' running$' "$1/log")" -ge $2 ]; do
        grep -q '^Error: ' "$1/log" && return 1
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || return 1
        sleep 0.01
      done
    }
    end() {
      [ -n "$id" ] && kill -$1 $id 2>/dev/null && kill -CONT $id 2>/dev/null
      [ -n "$id" ] && wait $id 2>/dev/null
      id=
    }
    count=0
    : >"$1/log"
    while read -r command; do
      case $command in
        start) count=$((count + 1)); begin "$1" $count ;;
        stop) end TERM ;;
        crash) end KILL ;;
        pause) kill -STOP $id ;;
        resume) kill -CONT $id ;;
        *) false ;;
      esac && echo done || echo failed
    done
    end KILL
    rm -rf "$1"
    """

  /// The port of the listener on 127.0.0.1.
  package let port: Int
  private let folder: String
  private let guardian: GuardedShell
  // Kept for its files.
  private let certificates: TestCertificates?

  /// Starts a broker.
  package static func start(_ options: MosquittoOptions = MosquittoOptions()) async throws -> MosquittoBroker {
    // Another program may take the port in between.
    for _ in 0..<4 {
      let broker = try MosquittoBroker(options)
      if await broker.guardian.run("start") == "done" { return broker }
    }
    throw MosquittoFailure(description: "mosquitto does not start; install the Debian package mosquitto")
  }

  private init(_ options: MosquittoOptions) throws {
    port = try FreePort.find()
    folder = try TestFolder.make("broker")
    certificates = options.tls
    var lines = [
      "listener \(port) 127.0.0.1", "persistence false", "log_type all", "log_timestamp false", "max_queued_messages 0",
      "allow_anonymous \(options.users.isEmpty)", "user root",
    ]
    if !options.users.isEmpty {
      let passwords = options.users.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }.joined()
      let file = "\(folder)/passwords"
      try passwords.write(toFile: file, atomically: false, encoding: .utf8)
      let program = Process()
      program.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
      program.arguments = ["-U", file]
      try program.run()
      program.waitUntilExit()
      lines.append("password_file \(file)")
    }
    if let rights = options.rights {
      let file = "\(folder)/rights"
      try rights.write(toFile: file, atomically: false, encoding: .utf8)
      lines.append("acl_file \(file)")
    }
    if let tls = options.tls {
      lines += [
        "cafile \(tls.authority)", "certfile \(tls.certificate(options.certificate))",
        "keyfile \(tls.key(options.certificate))",
        "require_certificate \(options.requiresClientCertificate)",
      ]
    }
    try lines.joined(separator: "\n").write(toFile: "\(folder)/mosquitto.conf", atomically: false, encoding: .utf8)
    guardian = try GuardedShell(Self.script, [folder])
  }

  /// Starts the broker again, on the same port.
  package func start() async throws { try await command("start") }
  /// Ends the broker; it closes its connections.
  package func stop() async throws { try await command("stop") }
  /// Ends the broker as a crash would.
  package func crash() async throws { try await command("crash") }
  /// Stops the broker's process: its connections stay open and nothing is answered.
  package func pause() async throws { try await command("pause") }
  /// Lets a paused broker continue.
  package func resume() async throws { try await command("resume") }

  private func command(_ command: String) async throws {
    guard await guardian.run(command) == "done" else {
      throw MosquittoFailure(description: "mosquitto: \(command) failed: \(log)")
    }
  }

  /// The broker's log.
  package var log: String { (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "" }
}
