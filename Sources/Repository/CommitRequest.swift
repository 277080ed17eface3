import Glibc

/// A request to the recorders of a database to store the data that they keep in memory, for a process that reads the database.
enum CommitRequest {
  /// Sends the request and waits until all recorders of a database have answered, or until `timeout`. Deletes sockets without a
  /// listener, as they remain after a crash.
  ///
  /// - Returns: The number of recorders that have not answered.
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
