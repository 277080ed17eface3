import CDBus
import Glibc

/// The reactor: one thread that alone uses the libdbus connection. It waits for the socket, for commands and for
/// deadlines.
final class DBusLoop {
  typealias Completion = PendingCall.Completion

  /// The number of bytes that the bus may leave unread before the connection counts as lost.
  private static let longestBacklog = 128 << 20
  /// The timeout of the reactor's calls to the bus itself.
  private static let busTimeout = Duration.seconds(25)

  /// The maximum number of messages read before the first of them is handled.
  private static let mostAtOnce = 256

  let mailbox: DBusMailbox
  private var connection: OpaquePointer?
  private let watches = WatchSet()
  private var pending: [UInt32: PendingCall] = [:]
  private var deadlines = CallDeadlines()
  private var flushWaiters: [OnceBox<Void>] = []
  private var arrival: Int64 = 0
  /// The messages read from libdbus that are not handled yet.
  private var received: [MessageHandle] = []
  private lazy var server = CallServer(mailbox: mailbox)
  private(set) lazy var owners = OwnerTracker { [unowned self] in callBus($0, $1, completion: $2) }
  private(set) lazy var router = SignalRouter(owners: owners) { [unowned self] in callBus($0, $1, completion: $2) }

  init(mailbox: DBusMailbox) {
    self.mailbox = mailbox
  }

  // MARK: - The thread

  /// Connects, finishes `opened` with the unique name, and runs until the connection is lost or closed. Blocks.
  func run(address: String, opened: OnceBox<String>) {
    connect(address, opened)
    while connection != nil {
      for command in mailbox.drainCommands() { command(self) }
      dispatch()
      expire()
      finishFlushes()
      guard let connection else { break }
      if dbus_connection_get_is_connected(connection) == 0 {
        shutdown()
      } else if dbus_connection_get_dispatch_status(connection) != DBUS_DISPATCH_DATA_REMAINS {
        watches.wait(mailbox, milliseconds: waitingTime) { arrival = LoopClock.boot() }
      }
    }
    end()
    opened.finish(
      .failure(
        .cannotConnect(
          address: address, name: BusNames.disconnected, message: "the connection was closed before it was ready")))
  }

  private func connect(_ address: String, _ opened: OnceBox<String>) {
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    // May block; the caller that waits for `opened` has a separate deadline.
    guard let connection = dbus_connection_open_private(address, &error) else {
      let name = error.name.map { String(cString: $0) } ?? BusNames.noServer
      let message = error.message.map { String(cString: $0) } ?? ""
      opened.finish(.failure(.cannotConnect(address: address, name: name, message: message)))
      return
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    // Signals in the buffer of a stream retain their messages. With a limit, libdbus would stop reading when there are many of
    // them, including the replies that the reader of the stream may wait for.
    dbus_connection_set_max_received_size(connection, .max)
    dbus_connection_set_max_received_unix_fds(connection, .max)
    self.connection = connection
    let filter: DBusHandleMessageFunction = { _, message, data in
      guard let message, let data else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
      return Unmanaged<DBusLoop>.fromOpaque(data).takeUnretainedValue().receive(MessageHandle(retaining: message))
    }
    guard watches.install(on: connection),
      dbus_connection_add_filter(connection, filter, Unmanaged.passUnretained(self).toOpaque(), nil) != 0
    else { return shutdown() }
    callBus("Hello", []) { [unowned self] result in
      opened.finish(greeted(result, address))
    }
  }

  private func greeted(_ result: Result<MessageHandle, DBusError>, _ address: String) -> Result<String, DBusError> {
    do {
      let name = try result.get().arguments().exactly(1)[0].asString()
      if let connection { dbus_bus_set_unique_name(connection, name) }
      return .success(name)
    } catch .remote(let name, let message) {
      return .failure(.cannotConnect(address: address, name: name, message: message))
    } catch .disconnected {
      return .failure(
        .cannotConnect(
          address: address, name: BusNames.disconnected, message: "the connection was closed before it was ready"))
    } catch {
      return .failure(error)
    }
  }

  /// Closes the connection. Pending operations end immediately afterwards, when the thread leaves its loop.
  func shutdown() {
    guard let connection else { return }
    self.connection = nil
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Ends all pending operations of the connection.
  private func end() {
    let calls = pending.values
    pending = [:]
    for call in calls { call.completion(.failure(.disconnected)) }
    router.end()
    owners.end()
    for command in mailbox.close() { command(self) }
    finishFlushes()
    mailbox.announceEnd()
  }

  /// The milliseconds until the next deadline, rounded up, or -1 if there is no deadline.
  private var waitingTime: Int32 {
    guard let next = deadlines.first?.deadline else { return -1 }
    let left = max(0, next - LoopClock.now())
    return Int32(clamping: left / 1_000_000 + 1)
  }

  private func expire() {
    deadlines.compact(live: pending.count) { pending[$0.serial] != nil }
    guard deadlines.first != nil else { return }
    let now = LoopClock.now()
    while let next = deadlines.first, next.deadline <= now {
      guard let entry = deadlines.removeFirst(), let call = pending.removeValue(forKey: entry.serial) else { continue }
      call.completion(.failure(.timedOut(member: call.member)))
    }
  }

  // MARK: - Sending

  /// Sends a call. `completion` is called exactly once.
  func call(
    _ message: MessageHandle, destination: String, member: String, deadline: Int64, completion: @escaping Completion
  ) {
    guard let serial = send(message) else { return completion(.failure(.disconnected)) }
    pending[serial] = PendingCall(destination: destination, member: member, completion: completion)
    if deadline != .max { deadlines.insert(CallDeadlines.Entry(deadline: deadline, serial: serial)) }
  }

  /// Calls a method of the bus itself.
  func callBus(_ member: String, _ arguments: [DBusValue], completion: @escaping Completion) {
    let message: MessageHandle
    do { message = try .call(BusNames.call(member, arguments)) } catch { return completion(.failure(error)) }
    call(
      message, destination: BusNames.destination, member: member,
      deadline: LoopClock.deadline(after: Self.busTimeout), completion: completion)
  }

  /// Queues a message and writes as much as the socket accepts. Returns the serial of the message, or `nil` if the connection
  /// is closed.
  @discardableResult
  func send(_ message: MessageHandle) -> UInt32? {
    guard let connection else { return nil }
    var serial: dbus_uint32_t = 0
    guard dbus_connection_send(connection, message.message, &serial) != 0 else { return nil }
    if dbus_connection_get_outgoing_size(connection) > Self.longestBacklog { shutdown() }
    return serial
  }

  /// Finishes `box` when all messages queued so far are written.
  func flush(_ box: OnceBox<Void>) {
    flushWaiters.append(box)
  }

  private func finishFlushes() {
    guard !flushWaiters.isEmpty else { return }
    if let connection, dbus_connection_has_messages_to_send(connection) != 0 { return }
    let waiters = flushWaiters
    flushWaiters = []
    for waiter in waiters { waiter.finish(.success(())) }
  }

  /// Called when an exported object has answered a call.
  func callServed() { server.served() }

  // MARK: - Receiving

  /// Reads the available messages before handling any of them, so that a task that waits for one of several messages also finds
  /// the others when it runs.
  private func dispatch() {
    guard let connection = connection.map(dbus_connection_ref) ?? nil else { return }
    defer { dbus_connection_unref(connection) }
    while self.connection != nil {
      while received.count < Self.mostAtOnce, let message = nextMessage(from: connection) { received.append(message) }
      guard !received.isEmpty else {
        // The next message is a call, which libdbus may answer itself.
        guard dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS else { return }
        continue
      }
      for message in received where self.connection != nil { _ = receive(message) }
      received.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the next message, or `nil` if there is none or it is a call.
  private func nextMessage(from connection: OpaquePointer) -> MessageHandle? {
    guard let message = dbus_connection_borrow_message(connection) else { return nil }
    if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL {
      dbus_connection_return_message(connection, message)
      return nil
    }
    dbus_connection_steal_borrowed_message(connection, message)
    return MessageHandle(owning: message)
  }

  private func receive(_ message: MessageHandle) -> DBusHandlerResult {
    switch message.type {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receive(reply: message)
    case DBUS_MESSAGE_TYPE_SIGNAL: receive(signal: message)
    case DBUS_MESSAGE_TYPE_METHOD_CALL: server.receive(message) { [unowned self] in send($0) }
    default: break
    }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private func receive(reply message: MessageHandle) {
    let serial = dbus_message_get_reply_serial(message.message)
    guard let call = pending[serial], call.accepts(sender: message.sender) else { return }
    pending[serial] = nil
    if message.type == DBUS_MESSAGE_TYPE_ERROR {
      call.completion(.failure(message.remoteError))
    } else {
      call.completion(.success(message))
    }
  }

  private func receive(signal message: MessageHandle) {
    owners.ownerChanged(message)
    let subscribers = router.subscribers(of: message)
    guard !subscribers.isEmpty, let signal = DBusSignal(message, arrivalNanoseconds: arrival) else { return }
    for subscriber in subscribers { subscriber.deliver(signal) }
  }
}
