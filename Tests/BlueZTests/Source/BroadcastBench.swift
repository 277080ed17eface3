import BlueZ
import DBus
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit

/// Broadcasts on a fake daemon on a private bus, and what was told of them.
actor BroadcastBench {
  nonisolated let bus: PrivateBus
  nonisolated let fake: FakeBlueZ
  nonisolated let source: BlueZBroadcasts
  private(set) var heard: [HeardBroadcast] = []
  private(set) var obstacles: [LinkReason?] = []
  private var waiters: [(condition: @Sendable (isolated BroadcastBench) -> Bool, CheckedContinuation<Void, Never>)] = []
  private var listening: Task<Void, Never>?

  init(monitors: Bool, change: (inout FakeBlueZConfiguration) -> Void = { _ in }) async throws {
    bus = try await PrivateBus.start()
    var configuration = FakeBlueZConfiguration()
    if monitors { configuration.monitorTypes = ["or_patterns"] }
    change(&configuration)
    fake = try await FakeBlueZ.start(on: .address(bus.address), configuration: configuration)
    source = BlueZBroadcasts(bus: .address(bus.address), adapter: nil, time: ScaledTimeSource(factor: 1))
  }

  /// Begins to listen; returns when the adapter does what it is going to do.
  func listen() async {
    let news = source.news()
    listening = Task {
      for await one in news { self.handle(one) }
    }
    await search()
  }

  /// Returns when the daemon searches as a listener to broadcasts wants it.
  func search() async {
    _ = await fake.waitUntil { world in
      world.adapters.values.contains { adapter in
        adapter.discoverers.wantDuplicates
          && (adapter.monitorTypes == nil || world.isMonitored)
      }
    }
  }

  func stop() async {
    await source.stop()
    await listening?.value
    await fake.stop()
    bus.close()
  }

  private func handle(_ news: BlueZBroadcasts.Update) {
    switch news {
    case .heard(let broadcast): heard.append(broadcast)
    case .obstacle(let reason): obstacles.append(reason)
    }
    let ready = waiters.filter { $0.condition(self) }
    waiters.removeAll { $0.condition(self) }
    for (_, continuation) in ready { continuation.resume() }
  }

  /// Returns when what was told fulfils the condition.
  func wait(_ condition: @escaping @Sendable (isolated BroadcastBench) -> Bool) async {
    if condition(self) { return }
    await withCheckedContinuation { waiters.append((condition, $0)) }
  }

  /// The heart rates of a strap in the order in which they were first told.
  func rates(of strap: FakeStrap) -> [UInt8] {
    var rates: [UInt8] = []
    for one in heard where one.address == strap.address && rates.last != one.content.heartRate {
      rates.append(one.content.heartRate)
    }
    return rates
  }
}
