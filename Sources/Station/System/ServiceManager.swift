import Glibc

/// Reports the state of the service to systemd (sd_notify(3)), by datagrams to the socket that systemd names. Does nothing
/// without systemd.
package struct ServiceManager: Sendable {
  private let address: String?
  /// The interval of the watchdog, or `nil` without a watchdog.
  package let watchdogInterval: Duration?

  /// The interval between pings of the watchdog, and the maximum age of the text in `systemctl status`.
  var pingInterval: Duration { min(watchdogInterval.map { $0 / 2 } ?? .seconds(5), .seconds(5)) }

  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let microseconds = isMeant ? environment["WATCHDOG_USEC"].flatMap { Int64($0) } : nil
    watchdogInterval = microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil }
  }

  /// Whether systemd receives the reports.
  package var isListening: Bool { address != nil }

  package func ready() { send("READY=1") }
  package func stopping() { send("STOPPING=1") }
  /// Sets the line that `systemctl status` shows.
  package func status(_ text: String) { send("STATUS=\(text.filter { !$0.isNewline })") }
  package func pingWatchdog() { send("WATCHDOG=1") }

  /// Pings the watchdog during work that it must not interrupt.
  package func pinging<Outcome>(_ work: () throws -> Outcome) rethrows -> Outcome {
    guard isListening else { return try work() }
    let pings = Task {
      while !Task.isCancelled {
        pingWatchdog()
        try? await Task.sleep(for: pingInterval)
      }
    }
    defer { pings.cancel() }
    return try work()
  }

  private func send(_ message: String) {
    guard let address else { return }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    // A name in the abstract namespace begins with a zero byte.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: place.sun_path) else { return }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let text = Array(message.utf8)
    _ = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
