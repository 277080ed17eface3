import DBus

/// The monitors of a client below one path, as registered with an adapter.
package struct FakeMonitorApplication: Hashable, Sendable {
  package let owner: String
  package let path: DBusObjectPath
  /// Those that are active.
  package internal(set) var monitors: [FakeMonitor] = []
}
