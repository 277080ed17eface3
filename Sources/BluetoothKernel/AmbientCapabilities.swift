import CBluetooth

/// The capabilities that programs inherit from this one.
package enum AmbientCapabilities {
  /// Empties them for this thread and those that it starts. The process keeps its own capabilities; the programs that it runs,
  /// such as hooks of alerts, get none. Call it before there are other threads.
  package static func clear() {
    // Without effect on kernels before 4.3, which have none.
    _ = cbluetooth_clear_ambient_capabilities()
  }
}
