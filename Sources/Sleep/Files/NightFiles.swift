/// Reads the data of a night from texts in the forms of tools/lib/sleep/README.md. Scored stages are not read.
///
/// The night begins at time 0. With movement, it ends with the epoch of its last row, and what is later is left out; else with that
/// of the last beat or heart rate. Heart rates and movement before the start are left out.
package enum NightFiles {
  /// Returns the night of at least one text; without any, a night without epochs. Throws a `NightFileError` with the file, line
  /// and column.
  package static func night(
    rr: [UInt8]?, heartRate: [UInt8]?, movement: [UInt8]?, sleeper: Sleeper = Sleeper()
  ) throws -> SleepNight {
    let moved = try movement.map { try Self.movement($0) }
    let end = moved.map { Double($0.epochCount) * Double(SleepAxis.epochSeconds) }
    let beats = try rr.map { try IntervalFileReader.beats($0, end: end) }
    let rates = try heartRate.map { try heartRates($0, end: end) } ?? []
    let last = max(beats?.timedIntervals.last?.end ?? -1, rates.last?.time ?? -1)
    // −1 is before the first epoch.
    let count = moved?.epochCount ?? (last < 0 ? 0 : Int(last / SleepAxis.ticksPerEpoch) + 1)
    return try SleepNight(
      epochCount: min(count, SleepAxis.maximumEpochCount), beats: beats ?? NightBeats(), heartRates: rates,
      movements: moved?.samples ?? [], movementForm: .smoothed, sleeper: sleeper)
  }

  /// Returns a time in ticks, rounded down, so that it stays in its epoch. It is within the range of times of a file.
  static func ticks(_ seconds: Double) -> Int64 { Int64((seconds * Double(SleepAxis.ticksPerSecond)).rounded(.down)) }

  /// Returns the heart rates in order of time. Of equal times, the lowest is the first and the others are left out; times that
  /// differ by less than a tick become neighbouring ticks of their epoch, so that they stay different.
  private static func heartRates(_ bytes: [UInt8], end: Double?) throws(NightFileError) -> [HeartRateSample] {
    let time = NightColumn(number: 1, kind: .sampleTime)
    let value = NightColumn(number: 2, kind: .heartRate)
    var table = try NightTable(bytes, of: .heartRate)
    var samples: [(seconds: Double, rate: Double)] = []
    while let row = try table.nextRow() {
      guard row.count == 2 else { throw table.error(.columnCount(row.count, expected: 2), line: table.line) }
      let seconds = try table.number(row, time)
      let rate = try table.number(row, value)
      if end == nil, seconds > NightColumn.latest { throw table.error(.outOfRange, line: table.line, column: time) }
      // Sensors send 0 where they measure nothing.
      if rate > 0, seconds >= 0, seconds < end ?? .infinity { samples.append((seconds, rate)) }
    }
    if samples.isEmpty, end == nil { throw table.error(.noRows) }
    samples.sort { ($0.seconds, $0.rate) < ($1.seconds, $1.rate) }
    var (found, last) = ([HeartRateSample](), (seconds: -1.0, tick: Int64(-1)))
    for sample in samples where sample.seconds > last.seconds {
      let tick = ticks(sample.seconds)
      let later = max(tick, last.tick + 1)
      let isInEpoch = later / SleepAxis.ticksPerEpoch == tick / SleepAxis.ticksPerEpoch
      last = (sample.seconds, isInEpoch ? later : max(tick, last.tick))
      found.append(HeartRateSample(time: last.tick, beatsPerMinute: sample.rate))
    }
    return found
  }

  /// Returns the number of epochs to the last row, and the movement of those that have any. Of rows of one epoch, the last counts.
  private static func movement(
    _ bytes: [UInt8]
  ) throws(NightFileError) -> (epochCount: Int, samples: [MovementSample]) {
    var table = try NightTable(bytes, of: .movement)
    let heading = try NightHeading(&table, needs: [.epochStart, .movement])
    guard let start = heading.column(.epochStart), let amount = heading.column(.movement) else {
      throw table.error(.noRows)
    }
    var epochs: [Int64: Double?] = [:]
    while let row = try table.nextRow() {
      guard row.count <= heading.count else {
        throw table.error(.columnCount(row.count, expected: heading.count), line: table.line)
      }
      let seconds = try table.number(row, start)
      let isMissing = row.count < amount.number || row[amount.number - 1].isEmpty
      let value = isMissing ? nil : try table.number(row, amount)
      if seconds >= 0 { epochs[ticks(seconds) / SleepAxis.ticksPerEpoch] = .some(value) }
    }
    guard let last = epochs.keys.max() else { throw table.error(.noRows) }
    let samples = epochs.sorted { $0.key < $1.key }.compactMap { epoch, value in
      value.map { MovementSample(time: epoch * SleepAxis.ticksPerEpoch, intensity: $0) }
    }
    return (Int(last) + 1, samples)
  }
}
