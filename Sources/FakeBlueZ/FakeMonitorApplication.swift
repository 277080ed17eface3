import DBus

/// The monitors of a client below one path, as registered with an adapter.
package struct FakeMonitorApplication: Hashable, Sendable {
  package let owner: String
  package let path: DBusObjectPath
  /// The active monitors.
  package internal(set) var monitors: [FakeMonitor] = []
}
