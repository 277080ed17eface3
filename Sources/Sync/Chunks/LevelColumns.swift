import FoundationEssentials
import StressKit
import TachogramCore

/// The columns of stress levels in a chunk of measurements: kinds and flags, sessions, persons, devices, times, times of
/// modification after them, levels, confidences, HRV, heart rates, resting heart rates, identifiers that do not derive from session
/// and time. Synchronisation and deletion are not encoded: they are states of a station.
enum LevelColumns {
  private static let identifierLength = 16
  private static let categories: [StressCategory] = [.relaxed, .mild, .moderate, .high]

  static func columns(_ levels: [StressMeasurement], _ texts: inout TextTable) -> [[UInt8]] {
    let times = levels.map { WallTime($0.timestamp).microseconds }
    let isDerived = zip(levels, times).map { level, time in derivedID(level.sessionID, time) == level.id }
    let flags = zip(levels, isDerived).map { level, isDerived in
      UInt8(isDerived ? 1 : 0) | UInt8(level.kind == .rmssd ? 2 : 0)
        | UInt8(categories.firstIndex(of: level.category) ?? 0) << 2
    }
    let sessions = levels.map { texts.place(of: $0.sessionID) }
    let persons = levels.map { texts.place(of: $0.person) }
    let devices = levels.map { texts.place(of: $0.deviceID) }
    let steps = zip(times, [0] + times).map { $0 &- $1 }
    let modified = zip(levels, times).map { WallTime($0.modified).microseconds &- $1 }
    let numbers = [
      levels.map(\.stressLevel), levels.map(\.confidence), levels.map(\.hrv), levels.map(\.heartRate),
      levels.map(\.restingHeartRate),
    ]
    let identifiers = zip(levels, isDerived).flatMap { level, isDerived in isDerived ? [] : bytes(of: level.id) }
    return [flags] + VarintColumn.planes(sessions) + VarintColumn.planes(persons) + VarintColumn.planes(devices)
      + VarintColumn.planes(signed: steps) + VarintColumn.planes(signed: modified)
      + numbers.flatMap(RealColumn.planes) + [identifiers]
  }

  static func read(
    _ reader: inout ByteReader, count: Int, _ texts: TextTable
  ) throws(FormatFailure) -> [StressMeasurement] {
    let start = reader.failure("level", .invalidValue)
    let flags = try reader.read(count, "flags")
    guard flags.allSatisfy({ $0 < 16 }) else { throw start }
    let sessions = try VarintColumn.read(&reader, count: count, "sessions")
    let persons = try VarintColumn.read(&reader, count: count, "persons")
    let devices = try VarintColumn.read(&reader, count: count, "devices")
    let steps = try VarintColumn.readSigned(&reader, count: count, "times")
    let modified = try VarintColumn.readSigned(&reader, count: count, "times of modification")
    let level = try RealColumn.read(&reader, count: count, "levels")
    let confidence = try RealColumn.read(&reader, count: count, "confidences")
    let hrv = try RealColumn.read(&reader, count: count, "HRV")
    let heartRate = try RealColumn.read(&reader, count: count, "heart rates")
    let resting = try RealColumn.read(&reader, count: count, "resting heart rates")
    var (time, levels): (Int64, [StressMeasurement]) = (0, [])
    levels.reserveCapacity(count)
    for place in 0..<count {
      time = time &+ steps[place]
      let session = try texts.text(at: sessions[place], start)
      let id: UUID
      if flags[place] & 1 == 1 {
        guard let derived = derivedID(session, time) else { throw start }
        id = derived
      } else {
        id = identifier(of: try reader.read(identifierLength, "identifier"))
      }
      let (modification, overflows) = time.addingReportingOverflow(modified[place])
      // The limits of the table, so that a whole chunk is stored or refused.
      guard !overflows, abs(time.distance(to: 0)) < mostTime, modification.magnitude < UInt64(mostTime),
        (0...100).contains(level[place]), (0...1).contains(confidence[place]), hrv[place] >= 0, heartRate[place] > 0,
        resting[place] > 0, let device = try texts.text(at: devices[place], start)
      else { throw start }
      levels.append(
        StressMeasurement(
          id: id, timestamp: WallTime(microseconds: time).date, stressLevel: level[place],
          category: categories[Int(flags[place] >> 2)], confidence: confidence[place], hrv: hrv[place],
          kind: flags[place] & 2 == 2 ? .rmssd : .sdnn, heartRate: heartRate[place], restingHeartRate: resting[place],
          person: try texts.text(at: persons[place], start), sessionID: session, deviceID: device,
          modified: WallTime(microseconds: modification).date))
    }
    return levels
  }

  /// The greatest distance of a time from 1970, in microseconds: 285 years.
  private static let mostTime: Int64 = 1 << 53

  private static func derivedID(_ session: String?, _ time: Int64) -> UUID? {
    session.map { StressMeasurement.derivedID(session: $0, microseconds: time) }
  }

  private static func bytes(of id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }

  private static func identifier(of bytes: [UInt8]) -> UUID {
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
