import Dispatch
import Glibc
import Synchronization

/// Receives commit requests of other processes, and answers each when the commit is done: the data that a recorder keeps in
/// memory to spare the disk is stored before another process exports it. Waiting for requests has no cost.
package final class CommitListener: Sendable {
  /// The maximum number of waiting requests. Further requests are answered immediately, without a commit.
  private static let mostWaiting = 16

  private let path: String
  private let descriptor: Int32
  private let isClosed = Atomic(false)
  private let waiting = Atomic(0)

  /// Listens on a socket beside a database until `close()` is called. `nil` if no socket can be created, as on a full disk or
  /// for a database in memory. `commit` returns when everything that was received before the call is stored.
  package init?(database: TachogramDatabase, commit: @escaping @Sendable () async -> Void) {
    guard database.lock != nil, let socket = CommitSocket(database: database.path).listen() else { return nil }
    (path, descriptor) = (socket.path, socket.descriptor)
    DispatchQueue(label: "tachogram.commit").async { [self] in
      accepting: while true {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 {
          _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
          answer(connection, commit)
        } else {
          let code = errno
          if isClosed.load(ordering: .acquiring) { break }
          switch code {
          case EINTR, ECONNABORTED: break
          // Others may free what this process or the system has used up.
          case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
          default: break accepting
          }
        }
      }
      Glibc.close(descriptor)
    }
  }

  private func answer(_ connection: Int32, _ commit: @escaping @Sendable () async -> Void) {
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting else {
      waiting.subtract(1, ordering: .relaxed)
      Glibc.close(connection)
      return
    }
    Task {
      await commit()
      waiting.subtract(1, ordering: .relaxed)
      Glibc.close(connection)
    }
  }

  /// Stops listening and deletes the socket.
  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unlink(path)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
