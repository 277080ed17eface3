import BlueZ
import Synchronization

/// Receives notifications from a socket as a link does.
struct PacketReceiver {
  let descriptor: Int32
  let count: Int

  func run() async throws {
    let reader = NotificationReader()
    let received = Atomic<Int>(0)
    let (done, end) = AsyncStream<Void>.makeStream()
    try Bench.report("ready")
    let number = reader.add(
      descriptor,
      onValue: { [count] value in
        if value.count == 4, received.add(1, ordering: .relaxed).newValue == count { end.finish() }
      }, onEnd: { end.finish() })
    for await _ in done {}
    try Bench.report(received.load(ordering: .relaxed) == count ? "done" : "ended early")
    try Bench.waitForEndOfInput()
    reader.remove(number)
  }
}
