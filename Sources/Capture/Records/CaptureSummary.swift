/// Statistics of the reading of a capture.
package struct CaptureSummary: Hashable, Sendable {
  /// The most damaged ranges that are described. The rest are only counted.
  package static let describedDamages = 20

  package var format: CaptureFormat
  /// Records read.
  package var records = 0
  /// The number of damaged ranges skipped, including a truncated end.
  package var damaged = 0
  /// The number of bytes in the damaged ranges.
  package var damagedBytes: UInt64 = 0
  /// The first damaged ranges, `describedDamages` at most.
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

  /// Packets that the capturing system reports as dropped.
  package var dropped: UInt64 = 0
  /// How often the drop counter decreased.
  package var dropCounterResets = 0
  /// Records without a time.
  package var recordsWithoutTime = 0
  /// The offset of the first record without a time, in bytes from the start of the file.
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

  /// A description of the damage to be appended to a sentence; empty if there is no damage.
  var damageNote: String {
    guard let first = damages.first else { return "" }
    return "; \(damaged) damaged stretch(es) passed over, the first at byte \(first.offset): \(first.problem)"
  }
}
