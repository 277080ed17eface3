import Dashboard
import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

@Suite("Diagnosis")
struct StationDiagnosisTests {
  /// The keys of a diagnosis. A new one is added here, after somebody has considered whether it tells something about a person.
  private static let allowed: Set = [
    "format", "version", "runningSeconds", "source", "isRecording", "isStorageFailing", "alerts", "machine", "system",
    "kernel", "architecture", "processors", "memoryMegabytes", "uptimeSeconds", "database", "schema", "megabytes",
    "freeMegabytes", "sessions", "pendingDerivations", "snapshots", "snapshotAgeSeconds", "isDamaged", "isDiskLow",
    "configured", "straps", "strap", "link", "isCurrent", "notifications", "gaps", "batteryPercent", "signalDBm",
    "checks", "id", "severity",
  ]

  private func keys(_ value: Any) -> Set<String> {
    switch value {
    case let object as [String: Any]: object.reduce(into: Set(object.keys)) { $0.formUnion(keys($1.value)) }
    case let list as [Any]: list.reduce(into: []) { $0.formUnion(keys($1)) }
    default: []
    }
  }

  @Test func testDiagnosis_NamesNobody() async throws {
    let (database, clock) = (try TachogramDatabase.inMemory(), ManualTimeSource())
    let address = BluetoothAddress(value: 0xC8DE_ADBE_EF17, kind: .random)
    try StrapRepository(database: database).remember(
      KnownStrap(address: address, name: "Annas belt", added: clock.now().wall, person: "Annabella"))
    let session = SessionDescription(
      id: "00000001-aaaa-8bbb-9ccc-ddddeeeeffff", strap: StrapIdentity(address: address), origin: .live,
      person: "Annabella", label: "secret", deviceID: "5f0c8c9e-3b1a-4c5e-9d7f-2a6b8e4d1c03", start: clock.now().wall,
      monotonicStart: clock.now().monotonic)
    try SessionRepository(database: database).begin(session)
    let station = try await QuietStation(database, clock, flags: ["alerts.webhook": "https://example.org/secret"])
    let diagnosis = try await station.backend.diagnosis()
    #expect(diagnosis.database.sessions == 1 && diagnosis.database.schema == 12)
    #expect(diagnosis.machine.processors > 0 && !diagnosis.machine.kernel.isEmpty)
    let data = try JSONEncoder().encode(diagnosis)
    let text = String(decoding: data, as: UTF8.self)
    for word in ["Anna", "secret", "example.org", "EF:17", session.id, "5f0c8c9e", ProcessInfo.processInfo.hostName] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(keys(try JSONSerialization.jsonObject(with: data)).isSubset(of: Self.allowed))
  }
}
