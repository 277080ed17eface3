import CFileSystem

/// The user by which a thread accesses files.
package enum FileAccess {
  /// Runs `body` with the rights of a user and a group to files, on this thread alone; `body` must not wait for other threads to
  /// access files for it. Requires root. Returns `nil` if the rights cannot be changed.
  package static func run<Value>(asUser user: UInt32, group: UInt32, _ body: () throws -> Value) rethrows -> Value? {
    defer { _ = cfilesystem_act_as(0, 0) }
    guard cfilesystem_act_as(user, group) != 0 else { return nil }
    return try body()
  }
}
