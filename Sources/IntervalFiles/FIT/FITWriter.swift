import TachogramCore

/// A writer of an activity as FIT: heart rates in record messages, RR intervals in hrv messages of five, in 1/1000 s, and gaps
/// as pauses of the timer, in whole seconds. Layout: FIT protocol (D00001275); numbers of messages, fields and values: FIT
/// profile.
package struct FITWriter {
  /// A message of the file, with its local type and its fields: number, size and base type.
  private enum Message: UInt8, CaseIterable {
    case fileID, event, record, hrv, lap, session, activity

    var global: UInt16 {
      switch self {
      case .fileID: 0
      case .event: FITDefinition.event
      case .record: 20
      case .hrv: FITDefinition.hrv
      case .lap: 19
      case .session: 18
      case .activity: 34
      }
    }

    var fields: [(number: UInt8, size: UInt8, type: UInt8)] {
      switch self {
      // type, manufacturer, product, time_created
      case .fileID:
        [(0, 1, FITWriter.enumType), (1, 2, FITWriter.uint16), (2, 2, FITWriter.uint16), (4, 4, FITWriter.uint32)]
      // timestamp, event, event_type
      case .event: [(253, 4, FITWriter.uint32), (0, 1, FITWriter.enumType), (1, 1, FITWriter.enumType)]
      // timestamp, heart_rate
      case .record: [(253, 4, FITWriter.uint32), (3, 1, FITWriter.uint8)]
      // time
      case .hrv: [(0, UInt8(2 * FITWriter.intervalsPerMessage), FITWriter.uint16)]
      // timestamp, event, event_type, start_time, total_elapsed_time, total_timer_time
      case .lap: FITWriter.summary
      // the same, and sport
      case .session: FITWriter.summary + [(5, 1, FITWriter.enumType)]
      // timestamp, total_timer_time, num_sessions, type, event, event_type
      case .activity:
        [
          (253, 4, FITWriter.uint32), (0, 4, FITWriter.uint32), (1, 2, FITWriter.uint16), (2, 1, FITWriter.enumType),
          (3, 1, FITWriter.enumType), (4, 1, FITWriter.enumType),
        ]
      }
    }
  }

  private static let enumType: UInt8 = 0x00
  private static let uint8: UInt8 = 0x02
  private static let uint16: UInt8 = 0x84
  private static let uint32: UInt8 = 0x86
  private static let summary: [(number: UInt8, size: UInt8, type: UInt8)] = [
    (253, 4, uint32), (0, 1, enumType), (1, 1, enumType), (2, 4, uint32), (7, 4, uint32), (8, 4, uint32),
  ]
  private static let intervalsPerMessage = 5
  /// The epoch of FIT, 1989-12-31T00:00:00Z, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// The dates that FIT can represent: seconds in 32 bits, of which the last value is reserved.
  package static let dates =
    WallTime(microseconds: epoch * 1_000_000)...WallTime(microseconds: (epoch + Int64(UInt32.max) - 1) * 1_000_000)
  private static let activityFile: UInt8 = 4
  /// The manufacturer "development".
  private static let manufacturer: UInt16 = 255
  private static let timer: UInt8 = 0
  private static let (lapEvent, sessionEvent, activityEvent): (UInt8, UInt8, UInt8) = (9, 8, 26)
  private static let (started, stopped, stoppedAll): (UInt8, UInt8, UInt8) = (0, 1, 4)

  private let start: WallTime
  private var bytes: [UInt8] = []
  private var waiting: [UInt16] = []
  private var lastRecord: UInt32?
  private var pausedSeconds: UInt32 = 0

  /// Creates an activity that begins at `start`.
  package init(start: WallTime) {
    self.start = start
    for message in Message.allCases { define(message) }
    begin(.fileID)
    bytes.append(Self.activityFile)
    append(Self.manufacturer)
    append(0 as UInt16)
    append(Self.seconds(start))
    event(Self.started, at: Self.seconds(start))
  }

  /// Adds a heart rate in bpm. Only the first heart rate of each second is kept.
  package mutating func add(heartRate: UInt16, at time: WallTime) {
    let second = Self.seconds(time)
    guard second != lastRecord, heartRate > 0, heartRate < 255 else { return }
    lastRecord = second
    begin(.record)
    append(second)
    bytes.append(UInt8(heartRate))
  }

  /// Adds an interval, rounded to a millisecond. An interval below half a millisecond is omitted.
  package mutating func add(_ rr: RRInterval) {
    let milliseconds = UInt16(rr.milliseconds.rounded())
    guard milliseconds > 0 else { return }
    waiting.append(milliseconds)
    if waiting.count == Self.intervalsPerMessage { flush() }
  }

  /// Adds a gap as a pause of the same length, rounded to the second, from the second in which it begins.
  package mutating func add(gapAt time: WallTime, lasting duration: Duration) {
    flush()
    let second = Self.seconds(time)
    let length = UInt32(clamping: (duration.wholeMicroseconds + 500_000) / 1_000_000)
    pausedSeconds = pausedSeconds &+ length
    event(Self.stoppedAll, at: second)
    event(Self.started, at: second &+ length)
  }

  /// Returns the file of an activity that ends at `end`.
  package consuming func file(end: WallTime) -> [UInt8] {
    flush()
    let last = max(Self.seconds(start), Self.seconds(end))
    let elapsed = last - Self.seconds(start)
    let active = elapsed - min(elapsed, pausedSeconds)
    event(Self.stoppedAll, at: last)
    for (message, number) in [(Message.lap, Self.lapEvent), (.session, Self.sessionEvent)] {
      begin(message)
      append(last)
      bytes += [number, Self.stopped]
      append(Self.seconds(start))
      append(UInt32(clamping: UInt64(elapsed) * 1000))
      append(UInt32(clamping: UInt64(active) * 1000))
      if message == .session { bytes.append(0) }
    }
    begin(.activity)
    append(last)
    append(UInt32(clamping: UInt64(active) * 1000))
    append(1 as UInt16)
    bytes += [0, Self.activityEvent, Self.stopped]
    let content = header() + bytes
    return content + Self.checksum(content)
  }

  // MARK: - Parts

  /// Returns the header: protocol 1.0, and version 2.0 of the profile in hundredths, since readers expect one.
  private func header() -> [UInt8] {
    var header: [UInt8] = [14, 0x10]
    header += Self.little(UInt16(200)) + Self.little(UInt32(clamping: bytes.count)) + Array(".FIT".utf8)
    return header + Self.checksum(header)
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var checksum = FITChecksum()
    checksum.add(bytes.span)
    return little(checksum.value)
  }

  private mutating func define(_ message: Message) {
    bytes += [0x40 | message.rawValue, 0, 0]
    append(message.global)
    bytes.append(UInt8(message.fields.count))
    for field in message.fields { bytes += [field.number, field.size, field.type] }
  }

  private mutating func begin(_ message: Message) { bytes.append(message.rawValue) }

  private mutating func event(_ type: UInt8, at second: UInt32) {
    begin(.event)
    append(second)
    bytes += [Self.timer, type]
  }

  private mutating func flush() {
    guard !waiting.isEmpty else { return }
    begin(.hrv)
    for position in 0..<Self.intervalsPerMessage { append(position < waiting.count ? waiting[position] : .max) }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ value: some FixedWidthInteger) { bytes += Self.little(value) }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Returns the civil time of a timestamp.
  static func time(_ timestamp: UInt32) -> WallTime {
    WallTime(microseconds: (Int64(timestamp) + epoch) * 1_000_000)
  }

  private static func seconds(_ time: WallTime) -> UInt32 {
    let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return UInt32(clamping: seconds - (rest < 0 ? 1 : 0) - epoch)
  }
}
