import Dispatch
import Glibc

/// A shell script that runs beside a test. The script reads commands, a line each, from standard input, answers each with a line,
/// and must clean up when the input ends: it does so when this object is released, or when the process of the tests ends in any
/// way.
final class GuardedShell: Sendable {
  /// Standard input and output of the script.
  private let connection: Int32
  private let queue = DispatchQueue(label: "mosquitto-guard")

  /// Starts `script` with `arguments` as `$1`, `$2`, ….
  init(_ script: String, _ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw MosquittoFailure(description: "no socket")
    }
    connection = ends[0]
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    // Whoever reads the errors of the tests waits until no program has them open.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // What the tests inherited, such as the lock of a build, must not outlive them.
    for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Threads of Dispatch block most signals; the shell would wait for its programs for ever.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = (["/bin/sh", "-c", script, "guard"] + arguments).map { (word: String) in strdup(word) }
    var environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"].map { (word: String) in strdup(word) }
    defer { for word in words + environment { free(word) } }
    words.append(nil)
    environment.append(nil)
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environment) == 0 else {
      throw MosquittoFailure(description: "/bin/sh cannot be started")
    }
    let id = process
    DispatchQueue(label: "mosquitto-guard-end").async {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }
  }

  deinit {
    close(connection)
  }

  /// Sends a command and returns its answer, or `nil` when the script ended.
  func run(_ command: String) async -> String? {
    await line(after: command + "\n")
  }

  /// Returns the next line of output, or `nil` when the script ended.
  func nextLine() async -> String? { await line(after: "") }

  private func line(after command: String) async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let bytes = Array(command.utf8)
        guard bytes.isEmpty || send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
          return continuation.resume(returning: nil)
        }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {
          if byte == 10 { return continuation.resume(returning: String(decoding: line, as: UTF8.self)) }
          line.append(byte)
        }
        continuation.resume(returning: nil)
      }
    }
  }
}
