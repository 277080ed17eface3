import CDBus
import Threads

/// Signals in the order of their arrival. The stream ends with the connection. Dropping the stream or cancelling its reader
/// removes the match.
package typealias DBusSignalStream = AsyncStream<DBusSignal>

/// A private connection to a message bus, served by one thread. All methods may be called from any thread. The connection is
/// closed with the last reference to this object; streams and subscriptions do not keep it open.
package final class DBusConnection: Sendable {
  /// The unique name assigned by the bus, for example `:1.42`.
  package let uniqueName: String
  private let mailbox: DBusMailbox

  private init(uniqueName: String, mailbox: DBusMailbox) {
    self.uniqueName = uniqueName
    self.mailbox = mailbox
  }

  deinit { close() }

  // MARK: - Opening and closing

  /// Connects and registers with the bus.
  /// - Throws: `DBusError.cannotConnect`, also when the bus has not answered within `timeout`; `.outOfMemory`; `.cancelled`.
  package static func open(
    _ bus: DBusBus, timeout: Duration = .seconds(5)
  ) async throws(DBusError) -> DBusConnection {
    let address = bus.address
    guard DBusSyntax.isString(address), !address.isEmpty else {
      throw .cannotConnect(address: address, name: BusNames.badAddress, message: "this is not a D-Bus address")
    }
    let mailbox = try DBusMailbox()
    let opened = OnceBox<String>()
    let alarm = Task {
      // A very long sleep would overflow the clock.
      try await Task.sleep(for: min(timeout, .seconds(1 << 30)))
      opened.finish(
        .failure(
          .cannotConnect(address: address, name: BusNames.noReply, message: "no answer within \(timeout)")))
    }
    defer { alarm.cancel() }
    do throws(DBusError) {
      let name = try await opened.value {
        LoopThread.start(address: address, mailbox: mailbox, opened: opened)
      }
      return DBusConnection(uniqueName: name, mailbox: mailbox)
    } catch {
      // The thread may still be connecting: it then closes the connection that it opened.
      mailbox.post { $0.shutdown() }
      throw error
    }
  }

  /// Closes the connection. Pending operations fail with `.disconnected`, and streams end. Messages that are not written yet
  /// are lost; call `flush()` before. Idempotent.
  package func close() {
    mailbox.post { $0.shutdown() }
  }

  /// Waits until the connection is lost or closed and all pending operations have ended. Also returns when the task is
  /// cancelled.
  package func waitUntilClosed() async {
    await mailbox.waitUntilClosed()
  }

  // MARK: - Calling

  /// Calls a method and waits for the reply, the timeout, cancellation or the end of the connection, whichever is first.
  /// - Throws: `DBusError.remote` for an error reply, `.timedOut`, `.cancelled`, `.disconnected`, `.invalid`.
  package func call(
    _ call: DBusMethodCall, timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    let message = try MessageHandle.call(call)
    let deadline = LoopClock.deadline(after: timeout)
    let reply = try await mailbox.result(of: MessageHandle.self) {
      [destination = call.destination, member = call.member] in
      let box = $1
      $0.call(message, destination: destination, member: member, deadline: deadline) { box.finish($0) }
    }
    return try reply.arguments()
  }

  /// Queues a call that expects no reply.
  /// - Throws: `DBusError.invalid`, `.disconnected`.
  package func send(_ call: DBusMethodCall) throws(DBusError) {
    try post(try MessageHandle.call(call, replyExpected: false))
  }

  // MARK: - Signals

  /// Returns a stream of the signals that `rule` selects, starting when this method returns. The buffer is unbounded.
  package func signals(_ rule: DBusMatchRule) async throws(DBusError) -> DBusSignalStream {
    try rule.validate()
    let (stream, continuation) = DBusSignalStream.makeStream(bufferingPolicy: .unbounded)
    let subscriber = SignalSubscriber(
      identifier: mailbox.nextIdentifier(), handler: { continuation.yield($0) }, ending: { continuation.finish() })
    // Also called when the wait below ends early, because the stream is then dropped.
    continuation.onTermination = { [mailbox, identifier = subscriber.identifier] _ in
      mailbox.post { $0.router.remove(identifier, rule: rule) }
    }
    try await add(subscriber, rule)
    return stream
  }

  /// Calls `handler` with the signals that `rule` selects, in order and on the thread of the connection. `handler` must not
  /// block.
  package func subscribe(
    _ rule: DBusMatchRule, _ handler: @escaping @Sendable (DBusSignal) -> Void
  ) async throws(DBusError) -> DBusSubscription {
    try rule.validate()
    let subscriber = SignalSubscriber(identifier: mailbox.nextIdentifier(), handler: handler, ending: {})
    // If the wait ends early, the subscription is deinitialised, which removes the rule.
    let subscription = DBusSubscription(mailbox: mailbox, rule: rule, subscriber: subscriber)
    try await add(subscriber, rule)
    return subscription
  }

  private func add(_ subscriber: SignalSubscriber, _ rule: DBusMatchRule) async throws(DBusError) {
    try await mailbox.result(of: Void.self) {
      let box = $1
      $0.router.add(subscriber, rule: rule) { box.finish($0) }
    }
  }

  /// Queues a signal, addressed to a single connection if `destination` is not `nil`.
  /// - Throws: `DBusError.invalid`, `.disconnected`.
  package func emit(
    path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue] = [], destination: String? = nil
  ) throws(DBusError) {
    try post(
      try .signal(path: path, interface: interface, member: member, arguments: arguments, destination: destination))
  }

  /// Waits until all messages queued so far are written to the socket, or the connection is lost.
  package func flush() async {
    _ = try? await mailbox.result(of: Void.self) { $0.flush($1) }
  }

  private func post(_ message: MessageHandle) throws(DBusError) {
    guard mailbox.post({ $0.send(message) }) else { throw .disconnected }
  }

  // MARK: - Names

  /// Returns a stream of the current owner of `name` and every later one, with `nil` for no owner. The stream ends with the
  /// connection.
  package func nameOwnerChanges(of name: String) async throws(DBusError) -> AsyncStream<String?> {
    try validate(name: name)
    let (stream, continuation) = AsyncStream<String?>.makeStream(bufferingPolicy: .unbounded)
    let identifier = mailbox.nextIdentifier()
    continuation.onTermination = { [mailbox] _ in
      mailbox.post { $0.owners.removeWatch(identifier, of: name) }
    }
    try await mailbox.result(of: Void.self) {
      let box = $1
      $0.owners.watch(
        name, identifier: identifier, watcher: { continuation.yield($0) }, ending: { continuation.finish() },
        completion: { box.finish($0) })
    }
    return stream
  }

  /// Returns the unique name of the owner, or `nil` if the name has no owner.
  package func owner(of name: String) async throws(DBusError) -> String? {
    try validate(name: name)
    do throws(DBusError) {
      return try await call(BusNames.call("GetNameOwner", [.string(name)])).exactly(1)[0].asString()
    } catch .remote(BusNames.nameHasNoOwner, _) {
      return nil
    }
  }

  /// Becomes the owner of `name`, without waiting in its queue.
  /// - Throws: `DBusError.nameTaken` when it has another owner, `.remote` when the policy forbids it.
  package func requestName(_ name: String) async throws(DBusError) {
    try validate(name: name)
    let arguments: [DBusValue] = [.string(name), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))]
    let code = try await call(BusNames.call("RequestName", arguments)).exactly(1)[0].asUInt32()
    guard
      [DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER].contains(Int32(clamping: code))
    else { throw .nameTaken(name) }
  }

  /// Releases `name`. Does nothing if this connection does not own it.
  package func releaseName(_ name: String) async throws(DBusError) {
    try validate(name: name)
    _ = try await call(BusNames.call("ReleaseName", [.string(name)]))
  }

  private func validate(name: String) throws(DBusError) {
    guard DBusSyntax.isBusName(name) else { throw .invalid("bus name \"\(name)\"") }
  }

  // MARK: - Objects

  /// Exports an object, whose calls `handler` answers. Each call runs in a separate task, started in the order of arrival. A
  /// thrown `.remote` is sent as that error, any other as `org.freedesktop.DBus.Error.Failed`.
  /// - Throws: `DBusError.invalid` when the path is exported already.
  package func export(
    _ path: DBusObjectPath,
    _ handler: @escaping @Sendable (DBusIncomingCall) async throws(DBusError) -> [DBusValue]
  ) throws(DBusError) {
    try add(path, isTree: false, handler)
  }

  /// Exports `prefix` and all paths below it, except those that are exported individually or with a longer prefix.
  package func exportTree(
    _ prefix: DBusObjectPath,
    _ handler: @escaping @Sendable (DBusIncomingCall) async throws(DBusError) -> [DBusValue]
  ) throws(DBusError) {
    try add(prefix, isTree: true, handler)
  }

  /// Ends `export`; calls that are being answered still get their reply.
  package func unexport(_ path: DBusObjectPath) {
    mailbox.exports.withLock { $0.remove(path, isTree: false) }
  }

  /// Ends `exportTree`.
  package func unexportTree(_ prefix: DBusObjectPath) {
    mailbox.exports.withLock { $0.remove(prefix, isTree: true) }
  }

  private func add(
    _ path: DBusObjectPath, isTree: Bool, _ handler: @escaping ExportTable.Handler
  ) throws(DBusError) {
    let failure = mailbox.exports.withLock { exports -> DBusError? in
      do throws(DBusError) { try exports.add(path, isTree: isTree, handler) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }
}
