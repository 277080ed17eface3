import ArgumentParser
import BlueZ
import FakeBlueZ
import GATT
import Repository
import TachogramCore

/// A trial of delivery: every notification of a strap is in the ledger, byte for byte and in order, with either transport of
/// the daemon.
struct DeliveryTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delivery", abstract: "Many notifications through both ways, held against the ledger.")

  @Argument(help: "Notifications each way.") var count = 1_000_000

  func run() async throws {
    for way in NotificationTransport.allCases { try await run(way) }
  }

  private func run(_ way: NotificationTransport) async throws {
    let strap = FakeStrap()
    let station = try await TrialStation(straps: [strap], way: way, speed: 1, isPatient: true)
    defer { station.remove() }
    await station.fake.subscribed(strap)
    let before = Resources.now()
    let clock = ContinuousClock()
    let start = clock.now
    _ = await station.fake.play(strap, (0..<count).lazy.map(Self.value))
    await station.wait(notifications: count)
    let seconds = (clock.now - start) / .seconds(1)
    let after = Resources.now()
    guard let session = try await station.stop().first else { throw TrialFailure("no session") }
    var next = 0
    var wrong: Int?
    try SessionRepository(database: station.database).forEachEntry(of: session) { entries in
      for entry in entries {
        guard case .notification(let bytes) = entry.content else { continue }
        if wrong == nil, next >= count || bytes != Self.value(next) { wrong = next }
        next += 1
      }
    }
    let name = way.rawValue.padding(to: 8)
    let rate = Int(Double(count) / seconds)
    let cpu = ((after.cpu - before.cpu) / Double(count) * 1e6).rounded(toPlaces: 1)
    print("\(name) sent \(count), in the ledger \(next), first difference: \(wrong.map(String.init) ?? "none")")
    print("\(name) \(rate) notifications/s, \(cpu) CPU s per 1 000 000 (fake daemon and recorder together)")
    if next != count || wrong != nil { throw TrialFailure("the ledger is not what was sent") }
  }

  /// Returns a value. Each one is sent three times in a row, because equal notifications are legitimate and all are kept.
  private static func value(_ number: Int) -> [UInt8] {
    let beat = number / 3
    let interval = UInt16(512 + beat % 1024)
    return [
      0x10, UInt8(60 + beat % 100), UInt8(truncatingIfNeeded: interval), UInt8(truncatingIfNeeded: interval >> 8),
    ]
  }
}
