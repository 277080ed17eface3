import Dashboard
import Synchronization
import TachogramCore

/// The pairing of made-up straps: the first one asks for a passkey, and refuses any but `passkey`.
package final class FakePairing: PairingBackend {
  package static let passkey: UInt32 = 123_456
  package static let strap = BluetoothAddress(value: 0xC0FF_EE00_0003, kind: .random)

  private let current = Mutex(API.Pairing(.closed))
  private let answers = Mutex<[API.PairingAnswer]>([])

  package init() {}

  /// The answers that were given.
  package var answered: [API.PairingAnswer] { answers.withLock { $0 } }

  package func state() -> API.Pairing { current.withLock { $0 } }

  package func begin() throws {
    try change { state in
      guard ![.searching, .connecting].contains(state.phase) else {
        throw DashboardError(.conflict, "a strap is being paired already.")
      }
      state = API.Pairing(.searching)
      state.secondsLeft = 60
      state.straps = [
        API.Pairing.Candidate(
          address: Self.strap.description, name: "Polar H10 1A2B", signal: -58, knownAs: nil, heartRate: 61),
        API.Pairing.Candidate(
          address: "C0:FF:EE:00:00:01", name: "Polar H10", signal: -71, knownAs: "Polar H10", heartRate: nil),
      ]
    }
  }

  package func choose(_ address: BluetoothAddress) throws {
    try change { state in
      guard state.phase == .searching else { throw DashboardError(.conflict, "no search is running.") }
      guard address.matches(Self.strap) else { throw DashboardError.notFound("\(address) is not in range.") }
      state = API.Pairing(.connecting)
      state.secondsLeft = 60
      state.link = "connecting"
      state.question = API.Pairing.Question(.passkey)
    }
  }

  package func answer(_ answer: API.PairingAnswer) throws {
    answers.withLock { $0.append(answer) }
    try change { state in
      guard state.question != nil else { throw DashboardError(.conflict, "the strap does not ask for this.") }
      guard answer == .passkey(Self.passkey) else {
        state = API.Pairing(.failed)
        state.problem = "the strap refuses to be paired: is the passkey correct?"
        return
      }
      state = API.Pairing(.paired)
      state.readings = [60, 61, 62].map { API.Pairing.Reading(heartRate: $0, intervals: [60_000 / Double($0)]) }
      state.strap = API.Strap(
        KnownStrap(
          address: Self.strap, name: "Polar H10 1A2B", isBonded: true, added: WallTime(microseconds: 0)))
    }
  }

  package func end() { current.withLock { $0 = API.Pairing(.closed) } }

  private func change(_ body: (inout API.Pairing) throws -> Void) throws {
    try current.withLock { try body(&$0) }
  }
}
