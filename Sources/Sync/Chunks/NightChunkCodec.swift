import TachogramCore

/// Encodes and decodes chunks of kind sleep.
///
/// Layout, compressed with zlib (RFC 1950): version (1 byte), session, whether there is a night and its properties, number of stages
/// and their columns, number of epochs and columns of their times, intensities and coverages. Sound will follow in a later version.
package enum NightChunkCodec {
  /// The maximum number of epochs in a chunk: 22 days.
  package static let mostEpochs = 65_536
  /// The maximum number of periods of stages.
  package static let mostPeriods = 65_536
  private static let version: UInt8 = 1
  private static let mostTime: Int64 = 1 << 53
  /// The origins and stages in the order of their numbers in the encoded form, to which new ones are appended.
  private static let origins: [SleepSession.Origin] = [.page, .command, .automatic, .file]
  private static let numberedStages: [SleepStage] = [.wake, .light, .deep, .rem, .nrem, .asleep, .unknown]

  /// Returns the encoded chunk.
  package static func encode(_ chunk: NightChunk) throws(ChunkFailure) -> [UInt8] {
    guard chunk.movement.count <= mostEpochs else { throw .tooLarge(field: "epochs", limit: mostEpochs) }
    var head = ByteWriter()
    head.write(byte: version)
    head.write(text: chunk.session)
    head.write(flag: chunk.night != nil)
    var periods: [SleepStagePeriod] = []
    if let night = chunk.night {
      head.write(byte: UInt8(origins.firstIndex(of: night.origin) ?? 0))
      head.write(signed: night.lightsOff.microseconds)
      head.write(flag: night.lightsOn != nil)
      if let end = night.lightsOn { head.write(signed: end.microseconds) }
      head.write(optionalText: night.staging?.estimator)
      if let staging = night.staging {
        for value in [staging.lowestHeartRate, staging.meanHeartRate, staging.rmssd] {
          head.write(flag: value != nil)
          if let value { head.write(integer: value.bitPattern) }
        }
        periods = staging.periods
      }
    }
    guard periods.count <= mostPeriods else { throw .tooLarge(field: "stages", limit: mostPeriods) }
    head.write(count: periods.count)
    head.write(count: chunk.movement.count)
    let ends = [0] + periods.map(\.end.microseconds)
    let columns =
      [head.bytes, periods.map { UInt8(numberedStages.firstIndex(of: $0.stage) ?? 0) }]
      + VarintColumn.planes(signed: zip(periods, ends).map { $0.start.microseconds &- $1 })
      + VarintColumn.planes(signed: periods.map { $0.end.microseconds &- $0.start.microseconds })
      + VarintColumn.planes(signed: steps(chunk.movement.map(\.time.microseconds)))
      + RealColumn.planes(chunk.movement.map(\.intensity)) + RealColumn.planes(chunk.movement.map(\.coverage))
    guard let compressed = Deflate.compressed(columns) else { throw .noMemory }
    return compressed
  }

  private static func steps(_ times: [Int64]) -> [Int64] { zip(times, [0] + times).map { $0 &- $1 } }

  /// Decodes the bytes that `encode` returned. Offsets in errors are those of the content after decompression.
  package static func decode(_ bytes: [UInt8]) throws(FormatFailure) -> NightChunk {
    var reader = ByteReader(try Deflate.expanded(bytes, limit: LedgerChunkLimits.expanded, field: "night"))
    let version = try reader.readByte("version")
    guard version == Self.version else {
      throw FormatFailure(field: "version", offset: 0, reason: .unknownVersion(version))
    }
    let session = try reader.readText("session", limit: LedgerChunkLimits.text)
    let isNight = try reader.readFlag("night")
    var night = isNight ? try readNight(&reader, session) : nil
    let start = reader.failure("stages", .invalidValue)
    let periodCount = try reader.readCount("stages", limit: mostPeriods)
    let epochCount = try reader.readCount("epochs", limit: mostEpochs)
    let periods = try readPeriods(&reader, count: periodCount)
    guard periods.isEmpty || night?.staging != nil else { throw start }
    night?.staging?.periods = periods
    let movement = try readMovement(&reader, count: epochCount)
    try reader.finish("night")
    return NightChunk(session: session, night: night, movement: movement)
  }

  private static func readNight(
    _ reader: inout ByteReader, _ session: String
  ) throws(FormatFailure) -> SleepSession {
    let start = reader.failure("night", .invalidValue)
    let origin = Int(try reader.readByte("origin"))
    let lightsOff = try reader.readSigned("lights off")
    let lightsOn = try reader.readFlag("lights on") ? try reader.readSigned("lights on") : nil
    guard origins.indices.contains(origin), lightsOff.magnitude < UInt64(mostTime),
      lightsOn.map({ $0 >= lightsOff && $0.magnitude < UInt64(mostTime) }) ?? true
    else { throw start }
    var night = SleepSession(
      session: session, origin: origins[origin], lightsOff: MonotonicTime(microseconds: lightsOff),
      lightsOn: lightsOn.map(MonotonicTime.init(microseconds:)))
    guard let estimator = try reader.readOptionalText("estimator", limit: LedgerChunkLimits.text) else { return night }
    var values: [Double?] = []
    for field in ["lowest heart rate", "mean heart rate", "RMSSD"] {
      guard try reader.readFlag(field) else {
        values.append(nil)
        continue
      }
      let value = Double(bitPattern: try reader.readInteger(UInt64.self, field))
      guard value.isFinite else { throw start }
      values.append(value)
    }
    guard !estimator.isEmpty else { throw start }
    night.staging = SleepSession.Staging(
      estimator: estimator, periods: [], lowestHeartRate: values[0], meanHeartRate: values[1], rmssd: values[2])
    return night
  }

  private static func readPeriods(
    _ reader: inout ByteReader, count: Int
  ) throws(FormatFailure) -> [SleepStagePeriod] {
    let start = reader.failure("stages", .invalidValue)
    let stages = try reader.read(count, "stages")
    let pauses = try VarintColumn.readSigned(&reader, count: count, "starts of stages")
    let lengths = try VarintColumn.readSigned(&reader, count: count, "lengths of stages")
    var (end, periods): (Int64, [SleepStagePeriod]) = (0, [])
    for place in 0..<count {
      let begin = end &+ pauses[place]
      guard numberedStages.indices.contains(Int(stages[place])), lengths[place] > 0,
        begin.magnitude < UInt64(mostTime), lengths[place] < mostTime, place == 0 || begin >= end
      else { throw start }
      end = begin + lengths[place]
      periods.append(
        SleepStagePeriod(
          start: MonotonicTime(microseconds: begin), end: MonotonicTime(microseconds: end),
          stage: numberedStages[Int(stages[place])]))
    }
    return periods
  }

  private static func readMovement(
    _ reader: inout ByteReader, count: Int
  ) throws(FormatFailure) -> [MovementEpoch] {
    let start = reader.failure("epochs", .invalidValue)
    let steps = try VarintColumn.readSigned(&reader, count: count, "times of epochs")
    let intensities = try RealColumn.read(&reader, count: count, "intensities")
    let coverages = try RealColumn.read(&reader, count: count, "coverages")
    var (time, movement): (Int64, [MovementEpoch]) = (0, [])
    for place in 0..<count {
      time = time &+ steps[place]
      guard time.magnitude < UInt64(mostTime), intensities[place] >= 0, (0...1).contains(coverages[place]) else {
        throw start
      }
      movement.append(
        MovementEpoch(
          time: MonotonicTime(microseconds: time), intensity: intensities[place], coverage: coverages[place]))
    }
    return movement
  }
}
