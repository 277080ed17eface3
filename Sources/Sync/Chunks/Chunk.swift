import TachogramCore

/// The content of an envelope.
///
/// Layout: version (1 byte), kind (1 byte), time of sealing in microseconds since 1970 (signed varint), heads (count, then
/// station, varint sequence and digest of each), member records (count, then digests), payload (the rest). Only the payload
/// depends on the kind.
package struct Chunk: Hashable, Sendable {
  /// The maximum number of heads in a chunk.
  package static let mostHeads = 1024
  /// The maximum number of member records in a chunk.
  package static let mostMemberRecords = 64
  private static let version: UInt8 = 1

  package var kind: ChunkKind
  /// The civil time of the author when it sealed the chunk. It is for people; nothing depends on it.
  package var sealed: WallTime
  /// The last chunks of other logs that the author had seen, in the order of their stations.
  package var heads: [LogHead]
  /// The last member records that the author had seen, in the order of their digests. Several were made at the same time.
  package var memberHeads: [ContentDigest]
  /// The content in the layout of the kind.
  package var payload: [UInt8]

  package init(
    kind: ChunkKind, sealed: WallTime, heads: [LogHead] = [], memberHeads: [ContentDigest] = [], payload: [UInt8]
  ) {
    self.kind = kind
    self.sealed = sealed
    self.heads = heads.sorted { $0.station < $1.station }
    self.memberHeads = memberHeads.sorted()
    self.payload = payload
  }

  /// Decodes a chunk. Throws for anything but the bytes that `encoded` returns.
  package init(bytes: [UInt8]) throws(FormatFailure) {
    var reader = ByteReader(bytes)
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    kind = ChunkKind(number: try reader.readByte("kind"))
    sealed = WallTime(microseconds: try reader.readSigned("sealed"))
    heads = []
    for _ in 0..<(try reader.readCount("heads", limit: Self.mostHeads)) {
      let failure = reader.failure("head station", .invalidValue)
      let station = StationID(digest: try reader.readDigest("head station"))
      if let last = heads.last, last.station >= station { throw failure }
      let sequence = try reader.readVarint("head sequence")
      heads.append(LogHead(station: station, sequence: sequence, digest: try reader.readDigest("head digest")))
    }
    memberHeads = try reader.readDigests("member records", limit: Self.mostMemberRecords)
    payload = try reader.read(reader.remaining, "payload")
  }

  /// The encoded chunk. Heads and member records above the limits are left out.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(byte: kind.number)
    writer.write(signed: sealed.microseconds)
    let heads = heads.prefix(Self.mostHeads)
    writer.write(count: heads.count)
    for head in heads {
      writer.write(head.station.digest)
      writer.write(varint: head.sequence)
      writer.write(head.digest)
    }
    writer.write(digests: Array(memberHeads.prefix(Self.mostMemberRecords)))
    writer.write(payload)
    return writer.bytes
  }
}
