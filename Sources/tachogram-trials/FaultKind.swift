import ArgumentParser
import FakeBlueZ
import TachogramCore

/// A fault of a link, with the limits of the recovery in seconds.
enum FaultKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  case linkLost, outOfRange, silence, daemonRestart, adapterReplug, powerCycle, rfkill, connectRefused, connectStalled
  case notifyStalled, cachePoisoned, bondLost

  /// The limits for half of the recoveries, and for 99 of 100.
  var limits: (p50: Double, p99: Double) {
    switch self {
    case .linkLost, .outOfRange: (3, 15)
    case .silence: (15, 15)
    case .daemonRestart, .adapterReplug, .powerCycle, .rfkill: (20, 20)
    case .connectRefused, .connectStalled, .notifyStalled, .cachePoisoned, .bondLost: (30, 30)
    }
  }

  /// Causes the fault, and ends it if it does not end by itself. Returns when recovery may begin.
  func happen(to strap: FakeStrap, on fake: FakeBlueZ, time: any TimeSourceProtocol) async throws {
    switch self {
    case .linkLost: await fake.dropLink(strap)
    case .outOfRange:
      await fake.stopAdvertising(strap)
      try await Self.pass(5, time)
      await fake.advertise(strap)
    case .silence:
      let before = await Self.subscriptions(fake)
      await fake.goSilent(strap)
      // The strap notifies again after a new subscription.
      _ = await fake.waitUntil { $0.calls["StartNotify", default: 0] + $0.calls["AcquireNotify", default: 0] > before }
      await fake.resume(strap)
    case .daemonRestart:
      await fake.killDaemon()
      try await Self.pass(2, time)
      try await fake.startDaemon()
    case .adapterReplug:
      await fake.removeAdapter()
      try await Self.pass(2, time)
      _ = await fake.addAdapter()
    case .powerCycle:
      try await fake.setPowered(false)
      try await Self.pass(2, time)
      try await fake.setPowered(true)
    case .rfkill:
      try await fake.block(true)
      try await Self.pass(2, time)
      try await fake.block(false)
      try await fake.setPowered(true)
    case .connectRefused:
      await fake.refuse("Connect", .connectionAborted, times: 3)
      await fake.dropLink(strap)
    case .connectStalled:
      await fake.stall("Connect")
      await fake.dropLink(strap)
    case .notifyStalled:
      await fake.stall("AcquireNotify")
      await fake.dropLink(strap)
    case .cachePoisoned:
      await fake.poisonGATTCache(strap)
      await fake.dropLink(strap)
    case .bondLost:
      // A strap that has lost its key ends each link before its first notification, until it is bonded again.
      let before = await fake.calls(of: "RemoveDevice")
      await fake.goSilent(strap)
      while await fake.calls(of: "RemoveDevice") == before {
        await fake.dropLink(strap)
        _ = await fake.waitUntil { $0.isSubscribed(strap) || $0.calls["RemoveDevice", default: 0] > before }
      }
      await fake.resume(strap)
    }
  }

  /// Whether it affects all straps at once.
  var isForAll: Bool {
    switch self {
    case .daemonRestart, .adapterReplug, .powerCycle, .rfkill: true
    default: false
    }
  }

  /// Whether the recovery time counts from the beginning of the fault, not from its end.
  var countsFromTheBeginning: Bool { self == .silence }

  private static func subscriptions(_ fake: FakeBlueZ) async -> Int {
    let calls = await fake.world.calls
    return calls["StartNotify", default: 0] + calls["AcquireNotify", default: 0]
  }

  private static func pass(_ seconds: Int64, _ time: any TimeSourceProtocol) async throws {
    try await time.sleep(until: time.now().monotonic.advanced(byMicroseconds: seconds * 1_000_000))
  }
}
