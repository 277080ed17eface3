import Glibc

/// Asks the recorders of a database to store what they hold in memory, for a process that reads it.
enum CommitRequest {
  /// Returns when all recorders of a database have answered, or after `timeout`: how many of them have not. What nobody
  /// listens to any more, as after a crash, is deleted.
  static func send(database: String, timeout: Duration) -> Int {
    var silent = 0
    var connections: [Int32] = []
    for path in CommitSocket(database: database).existing() {
      if let connection = CommitSocket.connect(path) {
        connections.append(connection)
      } else if errno == ECONNREFUSED {
        unlink(path)
      } else if errno != ENOENT {
        silent += 1
      }
    }
    let end = ContinuousClock.now + timeout
    for connection in connections {
      var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, end - ContinuousClock.now)
      if poll(&descriptor, 1, Int32(clamping: Int(left / .milliseconds(1)))) != 1 { silent += 1 }
      close(connection)
    }
    return silent
  }
}
