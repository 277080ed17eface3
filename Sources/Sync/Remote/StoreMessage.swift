/// The bodies of requests to a store by HTTP and of their answers. Lists are lines of text; objects are binary, integers with the
/// most significant byte first.
package enum StoreMessage {
  /// The header field of every answer of a store, with the version of the protocol. Without it, something else answers.
  package static let versionField = "Tachogram-Store"
  /// The maximum length of the body of a request, in bytes: several objects, or one of the largest.
  package static let longestRequest = 2 << 20
  /// The maximum number of objects in one request.
  package static let mostObjects = 4096
  /// The maximum number of bytes of the objects that are read at once.
  package static let mostBytes = 1 << 20
  /// The maximum number of sequences in one listing.
  package static let mostSequences = 65_536
  /// The length of an object in a batch beside its bytes.
  private static let batchOverhead = 45

  // MARK: - Several objects

  /// The body of a request that puts objects: for each, the kind of its log (1 byte: 0 chunks, 1 members, 2 joining), station (32),
  /// sequence (8), length (4) and bytes.
  package static func batch(_ objects: some Collection<StoreObject>) -> [UInt8] {
    var writer = ByteWriter()
    for object in objects {
      writer.write(byte: byte(object.key.log.kind))
      writer.write(object.key.log.station.digest)
      writer.write(integer: object.key.sequence)
      write(object.bytes, to: &writer)
    }
    return writer.bytes
  }

  /// The length of an object in a batch, in bytes.
  package static func batchLength(_ object: StoreObject) -> Int { batchOverhead + object.bytes.count }

  package static func batch(_ bytes: [UInt8], of space: SpaceID) throws(FormatFailure) -> [StoreObject] {
    var reader = ByteReader(bytes)
    var objects: [StoreObject] = []
    while reader.remaining > 0 {
      let start = reader.failure("object", .invalidValue)
      guard objects.count < mostObjects, let kind = kind(try reader.readByte("kind")) else { throw start }
      let station = StationID(digest: try reader.readDigest("station"))
      let sequence = try reader.readInteger(UInt64.self, "sequence")
      guard (1...StoreRoute.lastSequence).contains(sequence) else { throw start }
      let log = StoreLog(space: space, station: station, kind: kind)
      let bytes = try read(&reader)
      guard bytes.count <= EnvelopeHeader.byteCount + EnvelopeHeader.longestBody else { throw start }
      objects.append(StoreObject(key: StoreKey(log: log, sequence: sequence), bytes: bytes))
    }
    return objects
  }

  /// The answer to putting objects: 0 for stored, 1 for unchanged, 2 for a conflict, which the length (4) and the bytes of the
  /// existing object follow.
  package static func results(_ results: [StorePutResult]) -> [UInt8] {
    var writer = ByteWriter()
    for result in results {
      switch result {
      case .stored: writer.write(byte: 0)
      case .unchanged: writer.write(byte: 1)
      case .conflict(let existing):
        writer.write(byte: 2)
        write(existing, to: &writer)
      }
    }
    return writer.bytes
  }

  package static func results(_ bytes: [UInt8]) throws(FormatFailure) -> [StorePutResult] {
    var reader = ByteReader(bytes)
    var results: [StorePutResult] = []
    while reader.remaining > 0 {
      let start = reader.failure("result", .invalidValue)
      switch try reader.readByte("result") {
      case 0: results.append(.stored)
      case 1: results.append(.unchanged)
      case 2: results.append(.conflict(existing: try read(&reader)))
      default: throw start
      }
    }
    return results
  }

  /// Objects of a log: whether they are all (1 byte), then for each its sequence (8), length (4) and bytes.
  package static func objects(_ objects: StoreObjects) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(flag: objects.isWhole)
    for object in objects.objects {
      writer.write(integer: object.sequence)
      write(object.bytes, to: &writer)
    }
    return writer.bytes
  }

  /// Decodes objects, each with a sequence in `range`, ascending.
  package static func objects(_ bytes: [UInt8], in range: ClosedRange<UInt64>) throws(FormatFailure) -> StoreObjects {
    var reader = ByteReader(bytes)
    let isWhole = try reader.readFlag("whole")
    var objects: [StoredChunk] = []
    while reader.remaining > 0 {
      let start = reader.failure("sequence", .invalidValue)
      let sequence = try reader.readInteger(UInt64.self, "sequence")
      guard range.contains(sequence), objects.last.map({ $0.sequence < sequence }) ?? true else { throw start }
      objects.append(StoredChunk(sequence: sequence, bytes: try read(&reader)))
    }
    return StoreObjects(objects: objects, isWhole: isWhole)
  }

  private static func write(_ bytes: [UInt8], to writer: inout ByteWriter) {
    writer.write(integer: UInt32(clamping: bytes.count))
    writer.write(bytes)
  }

  private static func read(_ reader: inout ByteReader) throws(FormatFailure) -> [UInt8] {
    try reader.read(Int(try reader.readInteger(UInt32.self, "length")), "bytes")
  }

  private static func byte(_ kind: StoreLog.Kind) -> UInt8 {
    switch kind {
    case .chunks: 0
    case .members: 1
    case .joining: 2
    }
  }

  private static func kind(_ byte: UInt8) -> StoreLog.Kind? { StoreLog.Kind.allCases.first { self.byte($0) == byte } }
}
