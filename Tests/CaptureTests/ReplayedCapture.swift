import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// Everything that a replay of some bytes gives.
struct ReplayedCapture {
  let plan: CapturePlan
  let entries: [Int: [LedgerEntry]]

  init(_ bytes: [UInt8], handle: UInt16? = nil) throws {
    (plan, entries) = try MemoryFile.withPath(bytes) { path in
      let replay = CaptureReplay(path: path, handle: handle)
      let plan = try replay.plan()
      let entries = try Self.entries(replay, plan)
      // A draft gives what the replay gives, or says that it does not.
      for capacity in [1, 3, 1000] {
        let isSame = try SpeculativeEntries.read(replay, capacity: capacity).map { $0 == entries }
        #expect(isSame != false)
      }
      return (plan, entries)
    }
  }

  private static func entries(_ replay: CaptureReplay, _ plan: CapturePlan) throws -> [Int: [LedgerEntry]] {
    var entries: [Int: [LedgerEntry]] = [:]
    try replay.forEachEntry(plan) { entries[$0, default: []].append($1) }
    return entries
  }

  var summary: CaptureSummary { plan.summary }

  /// The notified values of a strap.
  func values(_ strap: Int = 0) -> [[UInt8]] {
    (entries[strap] ?? []).compactMap(\.notification)
  }

  /// The heart-rate notifications that the capture holds, used or not.
  var found: Int {
    (plan.straps + plan.unusableStraps).reduce(0) { $0 + $1.notifications + $1.leftOut.total }
  }

  /// What is left out of all straps.
  var allLeftOut: Int { (plan.straps + plan.unusableStraps).reduce(0) { $0 + $1.leftOut.total } }

  /// What is left out of a strap.
  func leftOut(_ strap: Int = 0) -> LeftOutCounts {
    plan.straps.indices.contains(strap) ? plan.straps[strap].leftOut : LeftOutCounts()
  }

  /// The reasons of the ends of its links.
  func linkEnds(_ strap: Int = 0) -> [UInt8] {
    (entries[strap] ?? []).compactMap {
      if case .linkDown(let reason) = $0.content { reason } else { nil }
    }
  }

  /// The addresses of the straps as people write them.
  var addresses: [String] {
    plan.straps.map(\.identity.address.description)
  }

  /// The name of a strap.
  func name(_ strap: Int = 0) -> String? {
    plan.straps[strap].identity.characteristics[StrapIdentity.deviceName].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The error that a replay of some bytes throws; `nil` when it throws none.
  static func failure(_ bytes: [UInt8], handle: UInt16? = nil) throws -> CaptureError? {
    do {
      _ = try ReplayedCapture(bytes, handle: handle)
      return nil
    } catch let error as CaptureError {
      return error
    }
  }

  /// Why a replay of some bytes finds no heart rate; `nil` when it does, or fails for another reason.
  static func absence(_ bytes: [UInt8], handle: UInt16? = nil) throws -> HeartRateAbsence? {
    if case .noHeartRate(_, let why, _) = try failure(bytes, handle: handle) { why } else { nil }
  }
}
