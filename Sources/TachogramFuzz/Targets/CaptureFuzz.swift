import Capture
import TachogramTestKit

/// Captures of a format, read as `replay` reads them: survey, concurrent draft, second pass, and the pipeline of each strap.
struct CaptureFuzz {
  let format: CaptureFormat

  /// Returns `false` for files of other formats.
  func run(_ bytes: [UInt8]) throws -> Bool {
    guard let ledger = try Self.ledger(bytes, format) else { return false }
    try SessionCheck.check(ledger)
    return true
  }

  /// Returns the replay of the file, or `nil` if it has another format. Checks that reading it in pieces of any size, again, or
  /// as a draft has the same result.
  static func ledger(_ bytes: [UInt8], _ format: CaptureFormat) throws -> ReplayedLedger? {
    try MemoryFile.withPath(bytes) { path in
      let replay = CaptureReplay(path: path)
      let ledger = try ReplayedLedger(replay)
      let inPieces = try ReplayedLedger(CaptureReplay(path: path, chunk: 1 + bytes.count / 3))
      try FuzzFinding.unless(ledger == inPieces, "read in pieces, it gives \(inPieces) instead of \(ledger)")
      guard ledger.format == format else { return nil }
      try LedgerCheck.check(ledger, fileSize: bytes.count)
      // Small pieces, and one large piece. Each may need its own plan, so there must not be many.
      for capacity in [1 + bytes.count / 512, bytes.count] where ledger.failure == nil {
        guard let draft = try SpeculativeEntries.read(replay, capacity: capacity) else { continue }
        try FuzzFinding.unless(draft == ledger.entries, "a draft in pieces of \(capacity) gives something else")
      }
      return ledger
    }
  }
}
