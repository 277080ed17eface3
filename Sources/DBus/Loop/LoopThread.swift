import CDBus
import Glibc

/// Starts the thread of a reactor.
enum LoopThread {
  private final class Start {
    let address: String
    let mailbox: DBusMailbox
    let opened: OnceBox<String>

    init(address: String, mailbox: DBusMailbox, opened: OnceBox<String>) {
      self.address = address
      self.mailbox = mailbox
      self.opened = opened
    }
  }

  /// Starts a thread that connects to `address`; it ends with the connection.
  static func start(address: String, mailbox: DBusMailbox, opened: OnceBox<String>) {
    guard dbus_threads_init_default() != 0 else { return opened.finish(.failure(.outOfMemory)) }
    // libdbus must not change the program's handling of SIGPIPE; it writes without raising the signal.
    dbus_connection_set_change_sigpipe(0)
    let start = Unmanaged.passRetained(Start(address: address, mailbox: mailbox, opened: opened))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        cdbus_name_thread("tachogram-dbus")
        DBusLoop(mailbox: start.mailbox).run(address: start.address, opened: start.opened)
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      return opened.finish(.failure(.outOfMemory))
    }
    pthread_detach(thread)
  }
}
