import FoundationEssentials
import StressKit
import TachogramCore

/// Encodes and decodes chunks of measurements.
///
/// Layout, compressed with zlib (RFC 1950): version (1 byte), number of texts and the texts (persons, sessions, devices), number of
/// levels, columns of the levels, number of readings, the readings, and, if the session was derived again, the session, the time in
/// microseconds since 1970 (signed varint) and 1 or 0 (1 byte) for levels that are all or not. A text is referred to by its place,
/// counted from 1; 0 is none.
package enum MeasurementChunkCodec {
  /// The maximum number of levels in a chunk.
  package static let mostLevels = 16_384
  /// The maximum number of readings in a chunk.
  package static let mostReadings = 4096
  private static let mostTexts = 65_536
  private static let version: UInt8 = 1

  /// Returns the encoded chunk.
  package static func encode(_ chunk: MeasurementChunk) throws(ChunkFailure) -> [UInt8] {
    guard chunk.levels.count <= mostLevels else { throw .tooLarge(field: "levels", limit: mostLevels) }
    guard chunk.readings.count <= mostReadings else { throw .tooLarge(field: "readings", limit: mostReadings) }
    var texts = TextTable()
    let columns = LevelColumns.columns(chunk.levels, &texts)
    var readings = ByteWriter()
    readings.write(count: chunk.readings.count)
    for reading in chunk.readings { ReadingCodec.write(reading, &texts, to: &readings) }
    if let derivation = chunk.derivation {
      readings.write(varint: texts.place(of: derivation.session))
      readings.write(signed: derivation.time.microseconds)
      readings.write(byte: derivation.isWhole ? 1 : 0)
    }
    guard texts.texts.allSatisfy({ $0.utf8.count <= LedgerChunkLimits.text }) else {
      throw .tooLarge(field: "text", limit: LedgerChunkLimits.text)
    }
    var head = ByteWriter()
    head.write(byte: version)
    head.write(count: texts.texts.count)
    for text in texts.texts { head.write(text: text) }
    head.write(count: chunk.levels.count)
    guard let compressed = Deflate.compressed([head.bytes] + columns + [readings.bytes]) else { throw .noMemory }
    return compressed
  }

  /// Decodes the bytes that `encode` returned. Offsets in errors are those of the content after decompression.
  package static func decode(_ bytes: [UInt8]) throws(FormatFailure) -> MeasurementChunk {
    var reader = ByteReader(try Deflate.expanded(bytes, limit: LedgerChunkLimits.expanded, field: "measurements"))
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    var texts = TextTable()
    for _ in 0..<(try reader.readCount("texts", limit: mostTexts)) {
      texts.append(try reader.readText("text", limit: LedgerChunkLimits.text))
    }
    let count = try reader.readCount("levels", limit: mostLevels)
    let levels = try LevelColumns.read(&reader, count: count, texts)
    var readings: [HRVReading] = []
    for _ in 0..<(try reader.readCount("readings", limit: mostReadings)) {
      readings.append(try ReadingCodec.read(&reader, texts))
    }
    let derivation = reader.remaining > 0 ? try readDerivation(&reader, texts) : nil
    try reader.finish("measurements")
    return MeasurementChunk(levels: levels, readings: readings, derivation: derivation)
  }

  private static func readDerivation(
    _ reader: inout ByteReader, _ texts: TextTable
  ) throws(FormatFailure) -> LevelDerivation {
    let noSession = reader.failure("derived session", .invalidValue)
    guard let session = try texts.text(at: try reader.readVarint("derived session"), noSession) else { throw noSession }
    let time = WallTime(microseconds: try reader.readSigned("time of derivation"))
    let failure = reader.failure("whole", .invalidValue)
    let isWhole = try reader.readByte("whole")
    guard isWhole <= 1 else { throw failure }
    return LevelDerivation(session: session, time: time, isWhole: isWhole == 1)
  }
}
