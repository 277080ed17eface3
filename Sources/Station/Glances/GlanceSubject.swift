import TachogramCore

/// Whose history a glance shows.
enum GlanceSubject: Hashable, Sendable {
  case person(String)
  /// A strap that no person is assigned to, since the history of nobody is that of all such straps.
  case strap(BluetoothAddress)
  /// What no person is assigned to.
  case nobody
}
