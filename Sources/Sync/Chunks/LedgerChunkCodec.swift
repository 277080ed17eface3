import TachogramCore

/// Encodes and decodes ledger chunks: columns of the entries, compressed with zlib (RFC 1950). Layout of the content: version
/// (1 byte), session, whether it is over, links, number of entries, then columns of differences between successive entries: kind, sequence, link,
/// monotonic time, civil time against monotonic time, reasons of link ends, values.
package enum LedgerChunkCodec {
  private static let version: UInt8 = 1

  /// Returns the encoded chunk.
  package static func encode(_ chunk: LedgerChunk) throws(ChunkFailure) -> [UInt8] {
    let columns = try Self.columns(chunk)
    let size = columns.reduce(0) { $0 + $1.count }
    guard size <= LedgerChunkLimits.expanded else {
      throw .tooLarge(field: "entries in bytes", limit: LedgerChunkLimits.expanded)
    }
    guard let compressed = Deflate.compressed(columns) else { throw .noMemory }
    return compressed
  }

  /// Decodes the bytes that `encode` returned. Offsets in errors are those of the content after decompression.
  package static func decode(_ bytes: [UInt8]) throws(FormatFailure) -> LedgerChunk {
    var reader = ByteReader(
      try Deflate.expanded(bytes, limit: LedgerChunkLimits.expanded, field: "ledger"))
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    let session = try SessionDescriptionCodec.read(&reader)
    let isOver = try reader.readFlag("end")
    let links = try SessionDescriptionCodec.readLinks(&reader)
    let entries = try readEntries(&reader, start: session)
    try reader.finish("ledger")
    return LedgerChunk(session: session, links: links, entries: entries, isOver: isOver)
  }

  // MARK: - Encoding

  private static func columns(_ chunk: LedgerChunk) throws(ChunkFailure) -> [[UInt8]] {
    let entries = chunk.entries
    guard entries.count <= LedgerChunkLimits.entries else {
      throw .tooLarge(field: "entries", limit: LedgerChunkLimits.entries)
    }
    var head = ByteWriter()
    head.write(byte: version)
    try SessionDescriptionCodec.write(chunk.session, to: &head)
    head.write(flag: chunk.isOver)
    try SessionDescriptionCodec.write(chunk.links, to: &head)
    head.write(count: entries.count)
    var (kinds, reasons, values): ([UInt8], [UInt8], [[UInt8]]) = ([], [], [])
    var (sequences, links, times, walls): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
    var last = Differences(start: chunk.session)
    for entry in entries {
      switch entry.content {
      case .notification(let value):
        kinds.append(0)
        values.append(value)
      case .linkDown(let reason):
        kinds.append(1)
        reasons.append(reason)
      case .pulseIntervals(let value):
        kinds.append(2)
        values.append(value)
      }
      let difference = last.difference(to: entry)
      sequences.append(difference.sequence)
      links.append(difference.link)
      times.append(difference.time)
      walls.append(difference.wall)
    }
    guard values.allSatisfy({ $0.count <= LedgerChunkLimits.value }) else {
      throw .tooLarge(field: "value", limit: LedgerChunkLimits.value)
    }
    // Most notifications arrive in nearly equal intervals.
    let interval = times.sorted()[safe: times.count / 2] ?? 0
    head.write(signed: interval)
    return [head.bytes, kinds] + VarintColumn.planes(signed: sequences) + VarintColumn.planes(signed: links)
      + VarintColumn.planes(signed: times.map { $0 &- interval }) + VarintColumn.planes(signed: walls) + [reasons]
      + ValueColumns.columns(values)
  }

  // MARK: - Decoding

  private static func readEntries(
    _ reader: inout ByteReader, start: SessionDescription
  ) throws(FormatFailure) -> [LedgerEntry] {
    let count = try reader.readCount("entries", limit: LedgerChunkLimits.entries)
    let interval = try reader.readSigned("interval")
    let kindStart = reader.failure("kinds", .invalidValue)
    let kinds = try reader.read(count, "kinds")
    guard kinds.allSatisfy({ $0 <= 2 }) else { throw kindStart }
    let sequences = try VarintColumn.readSigned(&reader, count: count, "sequences")
    let links = try VarintColumn.readSigned(&reader, count: count, "links")
    let times = try VarintColumn.readSigned(&reader, count: count, "monotonic times")
    let walls = try VarintColumn.readSigned(&reader, count: count, "civil times")
    let downCount = kinds.count { $0 == 1 }
    var reasons = try reader.read(downCount, "reasons").makeIterator()
    var values = try ValueColumns.read(&reader, count: count - downCount).makeIterator()
    var last = Differences(start: start)
    var entries: [LedgerEntry] = []
    entries.reserveCapacity(count)
    for place in 0..<count {
      let content: LedgerEntry.Content =
        switch kinds[place] {
        case 0: .notification(values.next() ?? [])
        case 1: .linkDown(reason: reasons.next() ?? 0)
        default: .pulseIntervals(values.next() ?? [])
        }
      entries.append(
        last.entry(
          sequence: sequences[place], link: links[place], time: times[place] &+ interval, wall: walls[place], content))
    }
    return entries
  }

  /// The differences between successive entries. Sums wrap, so that each value has a difference.
  private struct Differences {
    private var sequence: Int64 = -1
    private var link: Int64 = 0
    private var time: Int64
    /// Civil time minus monotonic time.
    private var offset: Int64

    init(start: SessionDescription) {
      time = start.monotonicStart.microseconds
      offset = start.start.microseconds &- start.monotonicStart.microseconds
    }

    mutating func difference(to entry: LedgerEntry) -> (sequence: Int64, link: Int64, time: Int64, wall: Int64) {
      let newOffset = entry.wall.microseconds &- entry.monotonic.microseconds
      defer {
        (sequence, link) = (entry.sequence, Int64(entry.link))
        (time, offset) = (entry.monotonic.microseconds, newOffset)
      }
      return (
        entry.sequence &- sequence &- 1, Int64(entry.link) &- link, entry.monotonic.microseconds &- time,
        newOffset &- offset
      )
    }

    mutating func entry(
      sequence: Int64, link: Int64, time: Int64, wall: Int64, _ content: LedgerEntry.Content
    ) -> LedgerEntry {
      self.sequence = self.sequence &+ sequence &+ 1
      self.link = self.link &+ link
      self.time = self.time &+ time
      offset = offset &+ wall
      return LedgerEntry(
        sequence: self.sequence, link: Int(truncatingIfNeeded: self.link),
        monotonic: MonotonicTime(microseconds: self.time), wall: WallTime(microseconds: self.time &+ offset),
        content: content)
    }
  }
}

extension [Int64] {
  fileprivate subscript(safe place: Int) -> Int64? { indices.contains(place) ? self[place] : nil }
}
