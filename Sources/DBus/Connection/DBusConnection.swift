import CDBus

/// Signals in the order in which they came; ends with the connection. Dropping it or cancelling its reader removes
/// the match.
package typealias DBusSignalStream = AsyncStream<DBusSignal>

/// A connection to a message bus of its own, with one thread. Everything may be called from anywhere. It is closed
/// with the last reference to this object; streams and subscriptions do not keep it open.
package final class DBusConnection: Sendable {
  /// The name that the bus gave, for example `:1.42`.
  package let uniqueName: String
  private let mailbox: DBusMailbox

  private init(uniqueName: String, mailbox: DBusMailbox) {
    self.uniqueName = uniqueName
    self.mailbox = mailbox
  }

  deinit { close() }

  // MARK: - Opening and closing

  /// Connects and registers with the bus.
  /// - Throws: `DBusError.cannotConnect`, also when the bus has not answered in `timeout`; `.cancelled`.
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
      // A sleep of ages would overflow the clock.
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
      // The thread may still be connecting: it closes what it gets.
      mailbox.post { $0.shutdown() }
      throw error
    }
  }

  /// Closes the connection: what waits ends with `.disconnected`, streams end. What is not written yet is lost:
  /// `flush()` before. Idempotent.
  package func close() {
    mailbox.post { $0.shutdown() }
  }

  /// Returns when the connection is lost or closed and everything that waited for it has ended; also when the task is
  /// cancelled.
  package func waitUntilClosed() async {
    await mailbox.waitUntilClosed()
  }

  // MARK: - Calling

  /// Calls a method and waits for the reply. Ends exactly once, whatever comes first.
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

  /// Queues a call whose reply nobody waits for.
  /// - Throws: `DBusError.invalid`, `.disconnected`.
  package func send(_ call: DBusMethodCall) throws(DBusError) {
    try post(try MessageHandle.call(call, replyExpected: false))
  }

  // MARK: - Signals

  /// The signals that `rule` selects, from when this returns. The buffer has no bound.
  package func signals(_ rule: DBusMatchRule) async throws(DBusError) -> DBusSignalStream {
    try rule.validate()
    let (stream, continuation) = DBusSignalStream.makeStream(bufferingPolicy: .unbounded)
    let subscriber = SignalSubscriber(
      identifier: mailbox.nextIdentifier(), handler: { continuation.yield($0) }, ending: { continuation.finish() })
    // Also when the wait ends early: the stream goes then.
    continuation.onTermination = { [mailbox, identifier = subscriber.identifier] _ in
      mailbox.post { $0.router.remove(identifier, rule: rule) }
    }
    try await add(subscriber, rule)
    return stream
  }

  /// Gives the signals that `rule` selects to `handler`, on the thread of the connection and in order: it must not
  /// block.
  package func subscribe(
    _ rule: DBusMatchRule, _ handler: @escaping @Sendable (DBusSignal) -> Void
  ) async throws(DBusError) -> DBusSubscription {
    try rule.validate()
    let subscriber = SignalSubscriber(identifier: mailbox.nextIdentifier(), handler: handler, ending: {})
    // When the wait ends early, this goes and takes the rule with it.
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

  /// Queues a signal; to one connection only when `destination` is given.
  /// - Throws: `DBusError.invalid`, `.disconnected`.
  package func emit(
    path: DBusObjectPath, interface: String, member: String, arguments: [DBusValue] = [], destination: String? = nil
  ) throws(DBusError) {
    try post(
      try .signal(path: path, interface: interface, member: member, arguments: arguments, destination: destination))
  }

  /// Returns when everything queued so far was written to the socket, or the connection is lost.
  package func flush() async {
    _ = try? await mailbox.result(of: Void.self) { $0.flush($1) }
  }

  private func post(_ message: MessageHandle) throws(DBusError) {
    guard mailbox.post({ $0.send(message) }) else { throw .disconnected }
  }

  // MARK: - Names

  /// The owner of `name` now, then every new one; `nil` when there is none. Ends with the connection.
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

  /// The unique name of the owner; `nil` when there is none.
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

  /// Gives up `name`; nothing happens when it is not owned.
  package func releaseName(_ name: String) async throws(DBusError) {
    try validate(name: name)
    _ = try await call(BusNames.call("ReleaseName", [.string(name)]))
  }

  private func validate(name: String) throws(DBusError) {
    guard DBusSyntax.isBusName(name) else { throw .invalid("bus name \"\(name)\"") }
  }

  // MARK: - Objects

  /// Answers the calls to an object. Each call has its own task, begun in the order of arrival. A thrown `.remote`
  /// goes back as that error, any other as `org.freedesktop.DBus.Error.Failed`.
  /// - Throws: `DBusError.invalid` when the path is exported already.
  package func export(
    _ path: DBusObjectPath,
    _ handler: @escaping @Sendable (DBusIncomingCall) async throws(DBusError) -> [DBusValue]
  ) throws(DBusError) {
    try add(path, isTree: false, handler)
  }

  /// Answers the calls to `prefix` and all paths below it that are not exported by themselves or with a longer prefix.
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
