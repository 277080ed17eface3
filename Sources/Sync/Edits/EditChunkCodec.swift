import TachogramCore

/// Encodes and decodes chunks of edits.
///
/// Layout: version (1 byte), number of ranges of deleted bodies and their bounds, number of edits, and of each: kind of target
/// (1 byte), identifier, wall (signed, in microseconds since 1970), counter, change (1 byte: 0 deletion, 1 removed value, 2
/// value), then field (1 byte) and value. The station of the times is the author and not encoded, so that no station can edit
/// in the name of another.
package enum EditChunkCodec {
  /// The maximum number of edits in a chunk.
  package static let mostEdits = 4096
  /// The maximum length of an identifier and of a value, in bytes.
  package static let longestText = 16_384
  package static let mostRanges = 4096
  private static let version: UInt8 = 1

  /// Returns the encoded chunk.
  package static func encode(_ chunk: EditChunk) throws(ChunkFailure) -> [UInt8] {
    guard chunk.edits.count <= mostEdits else { throw .tooLarge(field: "edits", limit: mostEdits) }
    guard chunk.deletedBodies.ranges.count <= mostRanges else {
      throw .tooLarge(field: "deleted bodies", limit: mostRanges)
    }
    guard chunk.edits.allSatisfy({ $0.texts.allSatisfy { $0.utf8.count <= longestText } }) else {
      throw .tooLarge(field: "text", limit: longestText)
    }
    var writer = ByteWriter()
    writer.write(byte: version)
    writer.write(count: chunk.deletedBodies.ranges.count)
    for range in chunk.deletedBodies.ranges {
      writer.write(varint: range.lowerBound)
      writer.write(varint: range.upperBound)
    }
    writer.write(count: chunk.edits.count)
    for edit in chunk.edits {
      writer.write(byte: edit.target.kind.number)
      writer.write(text: edit.target.id)
      writer.write(signed: edit.time.wall.microseconds)
      writer.write(varint: UInt64(edit.time.counter))
      switch edit.change {
      case .delete: writer.write(byte: 0)
      case .set(let field, let value):
        writer.write(byte: value == nil ? 1 : 2)
        writer.write(byte: field.number)
        if let value { writer.write(text: value) }
      }
    }
    return writer.bytes
  }

  /// Decodes the edits of an author.
  package static func decode(_ bytes: [UInt8], author: StationID) throws(FormatFailure) -> EditChunk {
    var reader = ByteReader(bytes)
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    var ranges: [ClosedRange<UInt64>] = []
    for _ in 0..<(try reader.readCount("deleted bodies", limit: mostRanges)) {
      let start = reader.failure("deleted bodies", .invalidValue)
      let (lower, upper) = (try reader.readVarint("deleted bodies"), try reader.readVarint("deleted bodies"))
      guard lower > 0, lower <= upper, upper < UInt64(Int64.max) else { throw start }
      ranges.append(lower...upper)
    }
    let count = try reader.readCount("edits", limit: mostEdits)
    var edits: [Edit] = []
    for _ in 0..<count { edits.append(try readEdit(&reader, author)) }
    try reader.finish("edits")
    return EditChunk(edits: edits, deletedBodies: SequenceRanges(ranges))
  }

  private static func readEdit(_ reader: inout ByteReader, _ author: StationID) throws(FormatFailure) -> Edit {
    let kind = EditTarget.Kind(number: try reader.readByte("target kind"))
    let target = EditTarget(kind: kind, id: try reader.readText("target", limit: longestText))
    let wall = WallTime(microseconds: try reader.readSigned("time"))
    let counter = try reader.readCount("counter", limit: Int(UInt32.max))
    let time = HybridTime(wall: wall, counter: UInt32(counter), station: author)
    let start = reader.failure("change", .invalidValue)
    switch try reader.readByte("change") {
    case 0: return Edit(target: target, change: .delete, time: time)
    case 1:
      let field = EditField(number: try reader.readByte("field"))
      return Edit(target: target, change: .set(field, nil), time: time)
    case 2:
      let field = EditField(number: try reader.readByte("field"))
      let value = try reader.readText("value", limit: longestText)
      return Edit(target: target, change: .set(field, value), time: time)
    default: throw start
    }
  }
}

extension Edit {
  fileprivate var texts: [String] {
    if case .set(_, let value?) = change { [target.id, value] } else { [target.id] }
  }
}
