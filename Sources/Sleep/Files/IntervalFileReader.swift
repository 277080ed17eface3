/// Reads beats with the interval before each, and tells those between normal beats apart.
struct IntervalFileReader {
  /// How much later than the end of its interval a beat is at least if beats before it are missing, in ms.
  private static let shortestGap = 250.0
  /// The type of a normal beat.
  private static let normal = Array("N".utf8)

  private var all: [TimedInterval] = []
  private var between: [NightInterval] = []
  /// The last beat, and whether it is normal.
  private var last: (seconds: Double, isNormal: Bool)?
  /// The end of the last normal beat in ticks, and whether no beat is missing since.
  private var lastNormal: (end: Int64, isWithoutGap: Bool)?

  /// Returns the beats of a text before `end`, in seconds. Throws if a row is not as expected, or if there is none.
  static func beats(_ bytes: [UInt8], end: Double?) throws -> NightBeats {
    var table = try NightTable(bytes, of: .intervals)
    let heading = try NightHeading(&table, needs: [.beatTime, .interval])
    guard let time = heading.column(.beatTime), let length = heading.column(.interval) else {
      throw table.error(.noRows)
    }
    let (type, previous) = (heading.column(.type), heading.column(.previousType))
    func isNormal(_ row: [ArraySlice<UInt8>], _ column: NightColumn?) -> Bool? {
      column.map { $0.number <= row.count && row[$0.number - 1].elementsEqual(normal) }
    }
    var (reader, hasRows) = (Self(), false)
    while let row = try table.nextRow() {
      guard row.count <= heading.count else {
        throw table.error(.columnCount(row.count, expected: heading.count), line: table.line)
      }
      let seconds = try table.number(row, time)
      let milliseconds = try table.number(row, length)
      if seconds < reader.last?.seconds ?? 0 { throw table.error(.unsorted, line: table.line, column: time) }
      hasRows = true
      guard seconds < end ?? .infinity else { continue }
      reader.add(
        seconds, milliseconds, isNormal: isNormal(row, type) ?? true, followsNormal: isNormal(row, previous))
    }
    guard hasRows else { throw table.error(.noRows) }
    return try NightBeats(normal: reader.between, all: reader.all)
  }

  /// Adds a beat. `followsNormal` says what the beat before is, if the file does.
  private mutating func add(_ seconds: Double, _ milliseconds: Double, isNormal: Bool, followsNormal: Bool?) {
    let end = NightFiles.ticks(seconds)
    all.append(TimedInterval(end: end, milliseconds: milliseconds))
    let isAfterGap = last.map { (seconds - $0.seconds) * 1000 - milliseconds > Self.shortestGap } ?? false
    if isAfterGap { lastNormal?.isWithoutGap = false }
    defer {
      last = (seconds, isNormal)
      if isNormal { lastNormal = (end, true) }
    }
    guard isNormal else { return }
    // What begins the interval: the beat before, or after a gap and at the start what the file says of it.
    let isDirect = isAfterGap || last == nil ? followsNormal ?? true : last?.isNormal == true
    let ticks = Int64((milliseconds * Double(SleepAxis.ticksPerSecond) / 1000).rounded())
    if let lastNormal, !lastNormal.isWithoutGap {
      // Nothing is interpolated up to here.
      let resumed = isDirect ? min(max(end - ticks, lastNormal.end), end) : end
      between.append(NightInterval(end: resumed, ticks: resumed - lastNormal.end, isValid: false))
    }
    if isDirect {
      between.append(NightInterval(end: end, ticks: ticks))
    } else if let lastNormal, lastNormal.isWithoutGap {
      between.append(NightInterval(end: end, ticks: end - lastNormal.end))
    }
  }
}
