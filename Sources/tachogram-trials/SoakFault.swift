import FakeBlueZ
import TachogramCore
import TachogramTestKit

/// A fault of a soak: one of the faults of link trials, or a refusal with one of the daemon's errors.
struct SoakFault: Sendable {
  private enum Content: Sendable {
    case kind(FaultKind)
    case refusal(method: String, error: FakeBlueZError, times: Int)
  }

  private static let refusals: [(method: String, error: FakeBlueZError)] = [
    ("Connect", .connectionAborted), ("Connect", .connectionCanceled), ("Connect", .inProgress),
    ("Connect", .notReady), ("Connect", .connectionAttemptFailed), ("Connect", .failed("le-connection-limit")),
    ("Connect", FakeBlueZError(name: "org.freedesktop.DBus.Error.NoReply", message: "Did not receive a reply")),
    ("AcquireNotify", .notPermitted("Notify acquired")), ("AcquireNotify", .inProgress),
    ("AcquireNotify", .failed("Operation failed with ATT error: 0x0e")), ("AcquireNotify", .notSupported),
    ("StartNotify", .notPermitted("Notify acquired")), ("StartNotify", .inProgress),
  ]

  private let content: Content

  /// Creates a random fault; each kind is as likely as all refusals together.
  init(_ random: inout SplitMix64) {
    let choice = Int(random.next() % UInt64(FaultKind.allCases.count + 1))
    if choice < FaultKind.allCases.count {
      content = .kind(FaultKind.allCases[choice])
    } else {
      let refusal = Self.refusals[Int(random.next() % UInt64(Self.refusals.count))]
      content = .refusal(method: refusal.method, error: refusal.error, times: 1 + Int(random.next() % 3))
    }
  }

  var name: String {
    switch content {
    case .kind(let kind): kind.rawValue
    case .refusal(let method, _, _): "refused \(method)"
    }
  }

  /// Whether it affects all straps at once.
  var isForAll: Bool {
    if case .kind(let kind) = content { kind.isForAll } else { false }
  }

  /// Whether it affects bonded straps only.
  var needsBond: Bool {
    if case .kind(.bondLost) = content { true } else { false }
  }

  /// Whether the recovery time counts from the beginning of the fault, not from its end.
  var countsFromTheBeginning: Bool {
    if case .kind(let kind) = content { kind.countsFromTheBeginning } else { false }
  }

  /// Causes the fault. Returns when recovery may begin.
  func happen(to strap: FakeStrap, on fake: FakeBlueZ, time: any TimeSourceProtocol) async throws {
    switch content {
    case .kind(let kind): try await kind.happen(to: strap, on: fake, time: time)
    case .refusal(let method, let error, let times):
      await fake.refuse(method, error, times: times)
      await fake.dropLink(strap)
    }
  }
}
