import DBus

/// The monitors of a client below one path, as registered with an adapter.
package struct FakeMonitorApplication: Hashable, Sendable {
  let owner: String
  let path: DBusObjectPath
  /// Those that are active.
  package internal(set) var monitors: [FakeMonitor] = []
}
