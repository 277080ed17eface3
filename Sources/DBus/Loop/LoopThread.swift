import CDBus
import Threads

/// Starts the thread of a reactor.
enum LoopThread {
  /// Starts a thread that connects to `address`; it ends with the connection.
  static func start(address: String, mailbox: DBusMailbox, opened: OnceBox<String>) {
    guard dbus_threads_init_default() != 0 else { return opened.finish(.failure(.outOfMemory)) }
    // libdbus must not change the program's handling of SIGPIPE; it writes without raising the signal.
    dbus_connection_set_change_sigpipe(0)
    do {
      try WorkerThread.start("tachogram-dbus") { DBusLoop(mailbox: mailbox).run(address: address, opened: opened) }
    } catch {
      opened.finish(.failure(.outOfMemory))
    }
  }
}
