/// What is stored of a log beside its chunks.
package struct LogState: Hashable, Sendable {
  private static let version: UInt8 = 1
  private static let mostPins = 65_536
  private static let mostPlaces = 1 << 20

  /// The last chunk of the log that each member has seen.
  package var pins: [StationID: LogHead]
  package var acceptedLoss: SequenceRanges
  package var deletedBodies: SequenceRanges
  /// The chunks to be read again.
  package var unopened: Set<UInt64>

  package init(of log: VerifiedLog, unopened: Set<UInt64>) {
    (pins, acceptedLoss, deletedBodies) = (log.pins, log.acceptedLoss, log.deletedBodies)
    self.unopened = unopened
  }

  /// Decodes the state of the log of a station. No bytes are the state of a log without chunks.
  package init(bytes: [UInt8], station: StationID) throws(FormatFailure) {
    (pins, acceptedLoss, deletedBodies, unopened) = ([:], SequenceRanges(), SequenceRanges(), [])
    if bytes.isEmpty { return }
    var reader = ByteReader(bytes)
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    for _ in 0..<(try reader.readCount("pins", limit: Self.mostPins)) {
      let witness = StationID(digest: try reader.readDigest("witness"))
      let sequence = try reader.readVarint("sequence")
      pins[witness] = LogHead(station: station, sequence: sequence, digest: try reader.readDigest("digest"))
    }
    acceptedLoss = try Self.ranges(&reader, "accepted losses")
    deletedBodies = try Self.ranges(&reader, "deleted bodies")
    unopened = Set(try Self.ranges(&reader, "unopened").ranges.flatMap { $0.count <= Self.mostPlaces ? Array($0) : [] })
    try reader.finish("log state")
  }

  /// The encoded state.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(count: pins.count)
    for (witness, head) in pins.sorted(by: { $0.key < $1.key }) {
      writer.write(witness.digest)
      writer.write(varint: head.sequence)
      writer.write(head.digest)
    }
    for ranges in [acceptedLoss, deletedBodies, SequenceRanges(numbers: unopened)] {
      writer.write(count: ranges.ranges.count)
      for range in ranges.ranges {
        writer.write(varint: range.lowerBound)
        writer.write(varint: range.upperBound)
      }
    }
    return writer.bytes
  }

  private static func ranges(_ reader: inout ByteReader, _ field: String) throws(FormatFailure) -> SequenceRanges {
    var ranges: [ClosedRange<UInt64>] = []
    for _ in 0..<(try reader.readCount(field, limit: mostPlaces)) {
      let start = reader.failure(field, .invalidValue)
      let (lower, upper) = (try reader.readVarint(field), try reader.readVarint(field))
      guard lower <= upper else { throw start }
      ranges.append(lower...upper)
    }
    return SequenceRanges(ranges)
  }
}
