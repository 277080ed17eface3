import CDBus
import Glibc
import Threads

/// The descriptors that libdbus has registered for polling. Used only on the reactor's thread.
final class WatchSet {
  private var watches: [OpaquePointer] = []
  // Reused from one wait to the next, to avoid allocations.
  private var polled: [OpaquePointer] = []
  private var descriptors: [pollfd] = []

  func install(on connection: OpaquePointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        guard let watch, let data else { return 0 }
        Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue().watches.append(watch)
        return 1
      },
      { watch, data in
        guard let watch, let data else { return }
        Unmanaged<WatchSet>.fromOpaque(data).takeUnretainedValue().watches.removeAll { $0 == watch }
      },
      nil, Unmanaged.passUnretained(self).toOpaque(), nil) != 0
  }

  /// Waits until a descriptor is ready, the mailbox has commands or the time has elapsed; -1 milliseconds waits indefinitely.
  /// `ready` is called before libdbus reads or writes.
  func wait(_ mailbox: DBusMailbox, milliseconds: Int32, ready: () -> Void) {
    polled.removeAll(keepingCapacity: true)
    descriptors.removeAll(keepingCapacity: true)
    descriptors.append(pollfd(fd: mailbox.wakeUp.descriptor, events: Int16(POLLIN), revents: 0))
    for watch in watches where dbus_watch_get_enabled(watch) != 0 {
      let flags = dbus_watch_get_flags(watch)
      var events: Int16 = 0
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= Int16(POLLIN) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= Int16(POLLOUT) }
      polled.append(watch)
      descriptors.append(pollfd(fd: dbus_watch_get_unix_fd(watch), events: events, revents: 0))
    }
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
    if descriptors[0].revents != 0 { mailbox.wakeUp.clear() }
    ready()
    for index in polled.indices {
      let (watch, descriptor) = (polled[index], descriptors[index + 1])
      // Handling one watch may have removed or disabled another.
      guard descriptor.revents != 0, watches.contains(watch), dbus_watch_get_enabled(watch) != 0 else { continue }
      var flags: UInt32 = 0
      if descriptor.revents & Int16(POLLIN) != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
      if descriptor.revents & Int16(POLLOUT) != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
      if descriptor.revents & Int16(POLLHUP) != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
      if descriptor.revents & Int16(POLLERR | POLLNVAL) != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
      // libdbus is out of memory: without a pause the loop would spin.
      if dbus_watch_handle(watch, flags) == 0 { poll(nil, 0, 10) }
    }
  }
}
