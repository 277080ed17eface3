/// How the reading of a capture went.
package struct CaptureSummary: Hashable, Sendable {
  /// How many damaged stretches are described; the rest are only counted.
  package static let describedDamages = 20

  package var format: CaptureFormat
  /// Records read.
  package var records = 0
  /// Damaged stretches passed over, a cut end included.
  package var damaged = 0
  /// Bytes in them.
  package var damagedBytes: UInt64 = 0
  /// The first of them.
  package var damages: [CaptureDamage] = []
  /// Whether the file ends within a record.
  package var isTruncated = false
  /// Packets of the link layer that could not be read because the link is encrypted.
  package var encryptedPackets = 0
  /// Packets that the sniffer itself marked as received with errors.
  package var corruptPackets = 0
  /// Packets whose own lengths contradict each other, and PDUs of which a part is missing.
  package var malformedPackets = 0
  /// How often the capture's clock stepped backwards by a second or more.
  package var clockSteps = 0

  /// Packets that the capturing system says it dropped.
  package var dropped: UInt64 = 0
  /// How often its counter of drops went back.
  package var dropCounterResets = 0
  /// Records without a time.
  package var recordsWithoutTime = 0
  /// Where the first of them begins, in bytes from the start of the file.
  package var firstWithoutTime: UInt64?

  package init(format: CaptureFormat) {
    self.format = format
  }

  /// Counts a record that was read.
  @inline(__always)
  mutating func add(_ record: CaptureRecord) {
    records += 1
    if record.time == nil {
      recordsWithoutTime += 1
      firstWithoutTime = firstWithoutTime ?? record.offset
    }
    if record.dropped > 0 { dropped = dropped.addingClamped(record.dropped) }
    if record.isDropCounterReset { dropCounterResets += 1 }
  }

  mutating func addDamage(at offset: UInt64, length: UInt64, problem: String) {
    damaged += 1
    damagedBytes += length
    if damages.count < Self.describedDamages {
      damages.append(CaptureDamage(offset: offset, length: length, problem: problem))
    }
  }

  /// The damage in words, to be put behind a sentence; empty when there is none.
  var damageNote: String {
    guard let first = damages.first else { return "" }
    return "; \(damaged) damaged stretch(es) passed over, the first at byte \(first.offset): \(first.problem)"
  }
}
