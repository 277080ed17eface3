import FoundationEssentials
import TachogramCore

/// Encodes and decodes readings in a chunk of measurements.
enum ReadingCodec {
  private static let kinds: [HRVReading.Kind] = [.morning, .spot]
  private static let mostTime: Int64 = 1 << 53

  static func write(_ reading: HRVReading, _ texts: inout TextTable, to writer: inout ByteWriter) {
    // Identifiers are few and must not depend on the table, which a writer of the head has not written yet.
    writer.write(text: reading.id)
    writer.write(byte: UInt8(kinds.firstIndex(of: reading.kind) ?? 0))
    writer.write(varint: texts.place(of: reading.person))
    writer.write(varint: texts.place(of: reading.session))
    writer.write(signed: reading.start.microseconds)
    writer.write(signed: reading.duration.wholeMicroseconds)
    writer.write(count: reading.count)
    for value in [reading.coverage, reading.artifactShare] { writer.write(integer: value.bitPattern) }
    for value in [reading.meanHeartRate, reading.sdnn, reading.rmssd] {
      writer.write(flag: value != nil)
      if let value { writer.write(integer: value.bitPattern) }
    }
  }

  static func read(_ reader: inout ByteReader, _ texts: TextTable) throws(FormatFailure) -> HRVReading {
    let start = reader.failure("reading", .invalidValue)
    let id = try reader.readText("identifier", limit: 64)
    let kind = Int(try reader.readByte("kind"))
    let person = try texts.text(at: try reader.readVarint("person"), start)
    let session = try texts.text(at: try reader.readVarint("session"), start)
    let (begin, duration) = (try reader.readSigned("start"), try reader.readSigned("duration"))
    let count = try reader.readCount("count", limit: Int(Int32.max))
    let coverage = try number(&reader, start)
    let artifacts = try number(&reader, start)
    let values = [try optional(&reader, start), try optional(&reader, start), try optional(&reader, start)]
    guard kinds.indices.contains(kind), UUID(uuidString: id) != nil, id == id.lowercased(), duration > 0,
      duration < mostTime, begin.magnitude < UInt64(mostTime), coverage >= 0, artifacts >= 0
    else { throw start }
    return HRVReading(
      id: id, kind: kinds[kind], person: person, session: session, start: WallTime(microseconds: begin),
      duration: .microseconds(duration), coverage: coverage, artifactShare: artifacts, count: count,
      meanHeartRate: values[0], sdnn: values[1], rmssd: values[2])
  }

  private static func number(_ reader: inout ByteReader, _ failure: FormatFailure) throws(FormatFailure) -> Double {
    let value = Double(bitPattern: try reader.readInteger(UInt64.self, "value"))
    guard value.isFinite else { throw failure }
    return value
  }

  private static func optional(
    _ reader: inout ByteReader, _ failure: FormatFailure
  ) throws(FormatFailure) -> Double? {
    try reader.readFlag("value") ? try number(&reader, failure) : nil
  }
}
