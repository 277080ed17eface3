import CMosquitto
import Glibc
import Threads

/// One connection to a broker, for the one thread that uses it. libmosquitto calls back only while it is called; the callbacks
/// take notes and call nothing.
final class MQTTSession {
  /// What libmosquitto reported, until `MQTTLoop` handles it.
  struct Notes {
    /// The code of the broker's answer to CONNECT.
    var accepted: Int32?
    /// Identifiers of messages that were written (QoS 0) or acknowledged (QoS 1).
    var completed: [Int32] = []
    var received: [MQTTEvent] = []
    var tooLarge = 0
    /// Identifiers of subscriptions that were refused.
    var refused: [Int32] = []
    /// Whether anything was reported since the last call.
    var isAny = false
  }

  /// The maximum number of messages that wait for an acknowledgement.
  private static let acknowledgementLimit = 16
  /// The maximum number of messages after the oldest unacknowledged one: identifiers repeat after 65,535.
  private static let distanceLimit = 60_000

  private let library: tachogram_mosquitto
  private let configuration: MQTTConfiguration
  private var client: OpaquePointer?
  private var log: [String] = []
  private var notes = Notes()
  private var pending: [Int32: OutgoingQueue.Entry] = [:]
  private var acknowledgements = 0
  private var distance = 0
  private var filters: [Int32: String] = [:]
  /// `nil` until TCP is connected.
  private var relay: MQTTRelay?
  /// `MQTTRelay.received` when the last packet was complete.
  private var receivedAtPacket = 0

  private(set) var isAccepted = false
  /// The number of messages that libmosquitto refused.
  private(set) var rejected = 0

  init(_ library: tachogram_mosquitto, _ configuration: MQTTConfiguration) {
    self.library = library
    self.configuration = configuration
  }

  deinit { if let client { library.destroy(client) } }

  // MARK: - Connecting

  /// Begins to connect. `isIPv4` restricts it to addresses of IPv4.
  func connect(isIPv4: Bool) -> MQTTDisconnectReason? {
    client = tachogram_mosquitto_create(library, configuration.clientID, Unmanaged.passUnretained(self).toOpaque())
    guard client != nil else { return .outOfMemory }
    setCallbacks()
    var steps = [library.int_option(client, Int32(TACHOGRAM_MOSQ_OPT_TCP_NODELAY), 1)]
    if let user = configuration.user { steps.append(library.username_pw_set(client, user, configuration.password)) }
    if let will = configuration.will {
      steps.append(
        will.payload.withUnsafeBytes {
          library.will_set(
            client, will.topic, Int32($0.count), $0.baseAddress, will.qos.rawValue, will.isRetained)
        })
    }
    if let tls = configuration.tls { steps += prepare(tls) }
    if let code = steps.first(where: { $0 != 0 }) {
      return configuration.tls == nil ? reason(code) : .tls(.init(log: log))
    }
    errno = 0
    let code = library.connect_bind_async(
      client, configuration.host, Int32(configuration.port), Int32(configuration.keepAlive), isIPv4 ? "0.0.0.0" : nil)
    return code == 0 ? nil : reason(code)
  }

  private func prepare(_ tls: MQTTTLS) -> [Int32] {
    var steps: [Int32] = []
    if tls.authorities == nil {
      steps.append(library.int_option(client, Int32(TACHOGRAM_MOSQ_OPT_TLS_USE_OS_CERTS), 1))
    }
    // tls_set demands a folder where there is no file.
    steps.append(
      library.tls_set(
        client, tls.authorities, tls.authorities == nil ? "/etc/ssl/certs" : nil, tls.certificate, tls.key,
        tachogram_mosquitto_no_passphrase))
    if tls.acceptsAnyCertificate {
      steps += [library.tls_opts_set(client, 0, nil, nil), library.tls_insecure_set(client, true)]
    }
    return steps
  }

  private func setCallbacks() {
    library.connect_callback_set(client) { _, context, code in
      MQTTSession.note(context) { $0.notes.accepted = code }
    }
    library.publish_callback_set(client) { _, context, mid in
      MQTTSession.note(context) { $0.notes.completed.append(mid) }
    }
    library.message_callback_set(client) { _, context, message in
      guard let message = message?.pointee else { return }
      MQTTSession.note(context) { $0.receive(message) }
    }
    library.subscribe_callback_set(client) { _, context, mid, count, granted in
      // 0x80 is a refusal (MQTT 3.1.1, section 3.9.3).
      let isRefused = count < 1 || (granted?[0] ?? 0x80) >= 0x80
      MQTTSession.note(context) { session in
        if isRefused { session.notes.refused.append(mid) } else { session.filters[mid] = nil }
      }
    }
    library.log_callback_set(client) { _, context, level, text in
      guard level == Int32(TACHOGRAM_MOSQ_LOG_ERR), let context, let text else { return }
      let session = Unmanaged<MQTTSession>.fromOpaque(context).takeUnretainedValue()
      if session.log.count < 16 { session.log.append(String(cString: text)) }
    }
  }

  private static func note(_ context: UnsafeMutableRawPointer?, _ body: (MQTTSession) -> Void) {
    guard let context else { return }
    let session = Unmanaged<MQTTSession>.fromOpaque(context).takeUnretainedValue()
    session.notes.isAny = true
    body(session)
  }

  private func receive(_ message: mosquitto_message) {
    let size = Int(message.payloadlen)
    guard size <= configuration.largestMessage, let topic = message.topic else { return notes.tooLarge += 1 }
    let payload = Array(UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : size))
    notes.received.append(.received(topic: String(cString: topic), payload: payload, isRetained: message.retain))
  }

  // MARK: - Sending

  /// Whether the last message was written and another may be sent.
  var hasRoom: Bool {
    isAccepted && !library.want_write(client) && acknowledgements < Self.acknowledgementLimit
      && (acknowledgements == 0 || distance < Self.distanceLimit)
  }

  /// Whether the broker has yet to read or acknowledge something.
  var isWaitingForBroker: Bool {
    !pending.isEmpty || library.want_write(client) || relay?.isFlushed == false
  }

  /// The number of bytes that the network accepted.
  var bytesSent: Int { relay?.sent ?? 0 }

  func send(_ entry: OutgoingQueue.Entry) -> MQTTDisconnectReason? {
    var mid: Int32 = 0
    let message = entry.message
    let code = message.payload.withUnsafeBytes {
      library.publish(
        client, &mid, message.topic, Int32($0.count), $0.baseAddress, message.qos.rawValue, message.isRetained)
    }
    if Self.isRefusal(code) {
      // It would be refused again on the next connection.
      rejected += 1
      return nil
    }
    pending[mid] = entry
    distance += 1
    if message.qos == .atLeastOnce {
      if acknowledgements == 0 { distance = 0 }
      acknowledgements += 1
    }
    return code == 0 ? nil : reason(code)
  }

  func subscribe(_ filter: String, _ qos: MQTTQoS) -> MQTTDisconnectReason? {
    var mid: Int32 = 0
    let code = library.subscribe(client, &mid, filter, qos.rawValue)
    if Self.isRefusal(code) {
      mid = -1
      notes.refused.append(mid)
    }
    filters[mid] = filter
    guard mid >= 0 else { return nil }
    return code == 0 ? nil : reason(code)
  }

  /// Whether libmosquitto refused an argument, as opposed to a failure of the connection.
  private static func isRefusal(_ code: Int32) -> Bool {
    [TACHOGRAM_MOSQ_INVAL, TACHOGRAM_MOSQ_PAYLOAD_SIZE, TACHOGRAM_MOSQ_MALFORMED_UTF8].contains(Int(code))
  }

  /// Removes the messages that were written or acknowledged. Returns their number.
  func takeWritten() -> Int {
    var published = 0
    for mid in notes.completed {
      guard let entry = pending.removeValue(forKey: mid) else { continue }
      published += 1
      if entry.message.qos == .atLeastOnce { acknowledgements -= 1 }
    }
    notes.completed.removeAll(keepingCapacity: true)
    return published
  }

  /// Returns what libmosquitto reported since the last call.
  func takeNotes() -> (notes: Notes, published: Int, refused: [String]) {
    let published = takeWritten()
    let refused = notes.refused.compactMap { filters.removeValue(forKey: $0) }
    if notes.accepted == 0 { isAccepted = true }
    defer { notes = Notes() }
    return (notes, published, refused)
  }

  /// The messages that were neither written nor acknowledged, oldest first.
  var undelivered: [OutgoingQueue.Entry] { pending.values.sorted { $0.sequence < $1.sequence } }

  // MARK: - Reading and writing

  /// Waits for the connection, for `wakeUp`, or for `timeout`. Returns whether the connection has anything.
  func wait(_ wakeUp: WakeUp, timeout: Duration) -> Bool {
    var descriptors = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    if let relay {
      relay.flush()
      descriptors.append(pollfd(fd: relay.network, events: relay.networkEvents, revents: 0))
      descriptors.append(pollfd(fd: relay.local, events: relay.localEvents, revents: 0))
    } else {
      descriptors.append(pollfd(fd: library.socket(client), events: Int16(POLLIN | POLLOUT), revents: 0))
    }
    var limit = timeout
    if relay?.isFlushed == true, library.want_write(client) {
      // What libmosquitto could not write before has room now. During a handshake it says so although it waits for the broker.
      limit = min(limit, isInHandshake ? .milliseconds(10) : .zero)
    }
    let milliseconds = Int32(max(0, (limit / .milliseconds(1)).rounded(.up)))
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return false }
    if descriptors[0].revents != 0 { wakeUp.clear() }
    return descriptors.dropFirst().contains { $0.revents != 0 }
  }

  /// Relays, and lets libmosquitto read, write and test the connection. `isReady` is whether the connection has anything.
  func step(isReady: Bool) -> MQTTDisconnectReason? {
    guard library.socket(client) >= 0 else { return isAccepted ? .closedByBroker : .closedBeforeAccepted }
    var hasNews = false
    if isReady {
      if relay == nil, let reason = startRelay() { return reason }
      relay?.flush()
      hasNews = relay?.receive() ?? false
    }
    notes.isAny = false
    repeat {
      errno = 0
      let code = readAndWrite()
      let system = relay?.error ?? errno
      relay?.flush()
      if let accepted = notes.accepted, accepted != 0 { return MQTTDisconnectReason(refusal: accepted) }
      guard code == 0 else { return reason(code, system) }
    } while hasNews && tachogram_mosquitto_has_data(library.socket(client))
    guard let relay, hasNews else { return nil }
    // libmosquitto repeats a TLS handshake with a peer that has gone for ever.
    if relay.isAtEnd, !isAccepted { return reason(Int32(TACHOGRAM_MOSQ_CONN_LOST), relay.error) }
    return checkSize(relay)
  }

  /// Whether the TLS handshake may not be complete: libmosquitto does not tell its end.
  private var isInHandshake: Bool { configuration.tls != nil && !isAccepted }

  /// Lets libmosquitto read a packet, write and test the connection, without waiting. Returns a code of libmosquitto.
  ///
  /// `mosquitto_loop` uses `select`, which refuses descriptors from 1024. Its other work is done here but for one thing: nothing reads
  /// the socket pair by which libmosquitto wakes its own `select`, and which it never waits for.
  private func readAndWrite() -> Int32 {
    let events = POLLIN | (library.want_write(client) ? POLLOUT : 0)
    var descriptor = pollfd(fd: library.socket(client), events: Int16(events), revents: 0)
    if poll(&descriptor, 1, 0) > 0 {
      let found = Int32(descriptor.revents)
      // Reading, not writing, is what continues a handshake, and what begins it if TCP was not connected before.
      if found & (POLLIN | POLLHUP | POLLERR) != 0 || (isInHandshake && found & POLLOUT != 0) {
        let code = library.loop_read(client, 1)
        guard code == 0, library.socket(client) >= 0 else { return code }
      }
      if events & POLLOUT != 0, found & (POLLOUT | POLLERR) != 0 {
        let code = library.loop_write(client, 1)
        guard code == 0, library.socket(client) >= 0 else { return code }
      }
    }
    return library.loop_misc(client)
  }

  /// Takes the connection from libmosquitto once TCP is connected.
  private func startRelay() -> MQTTDisconnectReason? {
    let socket = library.socket(client)
    let error = tachogram_mosquitto_socket_error(socket)
    guard error == 0 else { return reason(Int32(TACHOGRAM_MOSQ_ERRNO), error) }
    relay = MQTTRelay(replacing: socket)
    return relay == nil ? .outOfMemory : nil
  }

  /// Measures what arrived since the last complete packet.
  private func checkSize(_ relay: MQTTRelay) -> MQTTDisconnectReason? {
    if notes.isAny { receivedAtPacket = relay.received }
    // The bytes of topic, headers and TLS records.
    let limit = configuration.largestMessage + (96 << 10)
    return relay.received - receivedAtPacket > limit ? .messageTooLarge(limit: configuration.largestMessage) : nil
  }

  // MARK: - Ending

  /// Tells the broker that the client ends, so that it does not publish the will, and waits until it has read everything.
  func disconnect(deadline: ContinuousClock.Instant) {
    _ = library.disconnect(client)
    relay?.flush()
    relay?.finish(deadline: deadline)
  }

  /// The reason that a code of libmosquitto stands for. `system` is the error of the system.
  private func reason(_ code: Int32, _ system: Int32 = errno) -> MQTTDisconnectReason {
    if configuration.tls != nil, !isAccepted, log.contains(where: { $0.contains("unexpected eof") }) {
      return .closedBeforeAccepted
    }
    if configuration.tls != nil, !isAccepted, !log.isEmpty || code == Int32(TACHOGRAM_MOSQ_TLS) {
      return .tls(.init(log: log))
    }
    switch Int(code) {
    case TACHOGRAM_MOSQ_NOMEM: return .outOfMemory
    case TACHOGRAM_MOSQ_EAI: return .hostNotFound
    case TACHOGRAM_MOSQ_KEEPALIVE: return .noResponse
    case TACHOGRAM_MOSQ_PROTOCOL, TACHOGRAM_MOSQ_MALFORMED_PACKET, TACHOGRAM_MOSQ_MALFORMED_UTF8: return .malformedData
    case TACHOGRAM_MOSQ_CONN_LOST, TACHOGRAM_MOSQ_NO_CONN, TACHOGRAM_MOSQ_ERRNO:
      switch system {
      case ECONNREFUSED: return .connectionRefused
      case ETIMEDOUT where !isAccepted: return .connectTimedOut(configuration.connectTimeout)
      case ETIMEDOUT: return .noResponse
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM:
        return .unreachable(String(cString: strerror(system)))
      default: return isAccepted ? .closedByBroker : .closedBeforeAccepted
      }
    default: return .other(library.strerror(code).map { String(cString: $0) } ?? "libmosquitto error \(code)")
    }
  }
}
