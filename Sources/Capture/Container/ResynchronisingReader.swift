/// Reads records in the order of the file, and finds the next one after damage.
///
/// A record is accepted if its header is possible and it is consistent, or is followed by a possible header or the end of the
/// file. If it or its successor is inconsistent, no convincing record may begin inside it, as happens when its length covers
/// the following ones. A record whose time differs from both its neighbours, which agree, counts as damage as well. After
/// damage only a convincing record is accepted: one that is consistent, and is followed by a possible header or the end of the
/// file, or was captured at about the time of the previous one.
struct ResynchronisingReader<Framing: CaptureFraming>: ~Copyable {
  /// The largest distance, in microseconds, between the times of neighbouring records that raises no doubt.
  private static var undoubted: Int64 { 10_000_000 }
  /// The largest distance, in microseconds, of the last record's time from the previous one: a day.
  private static var lastStep: Int64 { 86_400_000_000 }

  private var framing: Framing
  private(set) var input: CaptureInput
  /// The record at the read position, if it was already examined.
  private var next: Candidate?
  /// The time of the last accepted record.
  private var lastTime: Int64?
  /// The invalid time of the last record: before 1980, after records from later times.
  private var lastAbsurdTime: Int64?
  /// The number of dropped packets reported since the last record.
  private var carriedDrops: UInt64 = 0

  /// A record that begins with a possible header.
  private struct Candidate {
    var header: RecordHeader
    /// Whether the record is complete and consistent.
    var isConsistent: Bool
  }

  init(framing: Framing, input: consuming CaptureInput) {
    self.framing = framing
    self.input = input
  }

  /// Calls `body` with all records that contain a packet, with their bytes.
  mutating func forEach(
    _ summary: inout CaptureSummary,
    _ body: (CaptureRecord, Span<UInt8>, inout CaptureSummary) throws -> Void
  ) throws {
    while try input.fill(framing.headerLength) || !input.window.isEmpty {
      // Drops before the next record are added to it below.
      if let lastTime, carriedDrops == 0 {
        let taken = try Self.takeUndoubted(&framing, input, since: lastTime, &summary, body)
        if let time = taken.lastTime {
          (self.lastTime, lastAbsurdTime) = (time, nil)
          next = nil
          input.skip(taken.length)
        }
      }
      guard let header = try headerAtPosition(&summary) else { continue }
      let range = input.window.lowerBound..<(input.window.lowerBound + header.length)
      switch Self.accept(&framing, input, range) {
      case .packet(var record):
        settleTime(of: &record)
        summary.add(record)
        record.dropped = record.dropped.addingClamped(carriedDrops)
        carriedDrops = 0
        try body(record, input.buffer.span.extracting(range), &summary)
      case .structure(let dropped):
        summary.dropped = summary.dropped.addingClamped(dropped)
        carriedDrops = carriedDrops.addingClamped(dropped)
        next = nil
      case .damaged(let problem):
        summary.addDamage(at: input.offset, length: UInt64(header.length), problem: problem)
        next = nil
      }
      input.skip(header.length)
    }
  }

  /// Stores the time of an accepted record. A time before 1980, after records from later times, is invalid: a clock that was
  /// right once does not show it.
  private mutating func settleTime(of record: inout CaptureRecord) {
    guard let time = record.time else { return }
    if time < FramingLimit.earliest, let lastTime, lastTime >= FramingLimit.earliest {
      lastAbsurdTime = time
      record.time = nil
    } else {
      (lastTime, lastAbsurdTime) = (time, nil)
    }
  }

  /// Static, because the framing of `self` changes while its input is accessed.
  private static func accept(
    _ framing: inout Framing, _ input: borrowing CaptureInput, _ range: Range<Int>
  ) -> FramedRecord {
    framing.accept(input.buffer.span.extracting(range), at: input.offset)
  }

  // MARK: - Records without doubt

  /// Calls `body` with records as long as each one and its successor are consistent and its time is near the previous one, so
  /// that none of the doubts of `headerAtPosition` arise. Nearly all records are like this, and each is examined once. The
  /// first other record, or one whose successor is not completely in the buffer, is left to `headerAtPosition`. Returns the
  /// number of consumed bytes, and the time of the last record if there was one.
  private static func takeUndoubted(
    _ framing: inout Framing, _ input: borrowing CaptureInput, since lastTime: Int64, _ summary: inout CaptureSummary,
    _ body: (CaptureRecord, Span<UInt8>, inout CaptureSummary) throws -> Void
  ) throws -> (length: Int, lastTime: Int64?) {
    let bytes = input.buffer.span.extracting(input.window)
    var (position, before) = (0, lastTime)
    var current = soundHeader(framing, bytes, at: 0)
    while let header = current, let time = header.time, abs(time - before) <= undoubted {
      let end = position + header.length
      guard let following = soundHeader(framing, bytes, at: end) else { break }
      let record = bytes.extracting(position..<end)
      guard case .packet(let packet) = framing.accept(record, at: input.offset + UInt64(position)) else { break }
      summary.add(packet)
      (position, before, current) = (end, time, following)
      try body(packet, record, &summary)
    }
    return (position, position > 0 ? before : nil)
  }

  /// Returns the header of the record at `position`, or `nil` if there is none, or if the record is incomplete or inconsistent.
  @inline(__always)
  private static func soundHeader(_ framing: Framing, _ bytes: Span<UInt8>, at position: Int) -> RecordHeader? {
    guard bytes.holds(framing.headerLength, at: position),
      let header = framing.header(of: bytes.extracting(position..<(position + framing.headerLength))),
      bytes.holds(header.length, at: position),
      framing.isConsistent(bytes.extracting(position..<(position + header.length)))
    else { return nil }
    return header
  }

  // MARK: - Believing records

  /// Returns the header of the record at the read position, which is completely in the buffer, or `nil` if there was damage,
  /// which is skipped.
  private mutating func headerAtPosition(_ summary: inout CaptureSummary) throws(CaptureError) -> RecordHeader? {
    if next == nil { next = try candidate(at: 0) }
    guard let candidate = next else {
      try passDamage(input.window.count < framing.headerLength ? .cutHeader : .impossibleHeader, &summary)
      return nil
    }
    let header = candidate.header
    guard try input.fill(header.length) else {
      // The file is incomplete, or the length is wrong and more records follow.
      try passDamage(.longerThanFile, &summary)
      return nil
    }
    let isLast = try !input.fill(header.length + framing.headerLength)
    next = try self.candidate(at: header.length)
    if !candidate.isConsistent || !Framing.hasLengthAtEnd && next?.isConsistent != true {
      let hidesRecord = try hidesRecord(header)
      if hidesRecord || !candidate.isConsistent && !isLast && next == nil {
        try passDamage(.contradictory(length: header.length), &summary)
        return nil
      }
    }
    guard isTimely(header, next: next?.header) else {
      summary.addDamage(at: input.offset, length: UInt64(header.length), problem: "time apart from its neighbours'")
      input.skip(header.length)
      return nil
    }
    return header
  }

  /// Returns the record at a distance from the read position, or `nil` if none can begin there.
  private mutating func candidate(at distance: Int) throws(CaptureError) -> Candidate? {
    guard let header = header(at: distance) else { return nil }
    let isWhole = try input.fill(distance + header.length)
    return Candidate(header: header, isConsistent: isWhole && isConsistent(header, at: distance))
  }

  /// Returns the header at a distance from the read position, or `nil` if there is none.
  private func header(at distance: Int) -> RecordHeader? {
    let start = input.window.lowerBound + distance
    guard start < input.window.upperBound else { return nil }
    let end = min(input.window.upperBound, start + framing.headerLength)
    return framing.header(of: input.buffer.span.extracting(start..<end))
  }

  private func isConsistent(_ header: RecordHeader, at distance: Int) -> Bool {
    let start = input.window.lowerBound + distance
    return framing.isConsistent(input.buffer.span.extracting(start..<(start + header.length)))
  }

  /// Whether a convincing record begins within the one at the read position.
  private mutating func hidesRecord(_ header: RecordHeader) throws(CaptureError) -> Bool {
    for distance in 1..<header.length {
      if try isConvincing(at: distance) { return true }
    }
    return false
  }

  /// Whether a record was captured at about the time of the previous one.
  private func isNear(_ header: RecordHeader) -> Bool {
    guard let time = header.time, let lastTime else { return false }
    return abs(time - lastTime) <= Self.undoubted
  }

  /// Whether the time of a record agrees with that of a neighbour.
  private func isTimely(_ header: RecordHeader, next: RecordHeader?) -> Bool {
    guard let time = header.time, let lastTime, !isNear(header) else { return true }
    if let lastAbsurdTime, abs(time - lastAbsurdTime) <= Self.undoubted { return true }
    guard let nextTime = next?.time else { return abs(time - lastTime) <= Self.lastStep }
    return abs(nextTime - time) <= Self.undoubted || abs(nextTime - lastTime) > Self.undoubted
  }

  // MARK: - Passing over damage

  private enum Damage {
    case cutHeader
    case impossibleHeader
    case longerThanFile
    case contradictory(length: Int)

    /// Whether the file ends here, if nothing plausible follows.
    var isCut: Bool {
      switch self {
      case .cutHeader, .longerThanFile: true
      case .impossibleHeader, .contradictory: false
      }
    }

    var words: String {
      switch self {
      case .cutHeader: "the file ends within a header"
      case .impossibleHeader: "impossible record header"
      case .longerThanFile: "record longer than the file"
      case .contradictory(let length): "record of \(length) bytes with nothing sensible in it or behind it"
      }
    }
  }

  /// Moves to the next convincing record after the read position, or to the end of the file, and counts the skipped bytes.
  private mutating func passDamage(_ damage: Damage, _ summary: inout CaptureSummary) throws(CaptureError) {
    let start = input.offset
    next = nil
    input.skip(1)
    while try input.fill(framing.headerLength) || !input.window.isEmpty {
      if try isConvincing(at: 0) {
        summary.addDamage(at: start, length: input.offset - start, problem: damage.words)
        return
      }
      input.skip(1)
    }
    if damage.isCut { summary.isTruncated = true }
    summary.addDamage(
      at: start, length: input.offset - start,
      problem: damage.words + (damage.isCut ? "" : ", up to the end of the file"))
  }

  private mutating func isConvincing(at distance: Int) throws(CaptureError) -> Bool {
    guard let candidate = try candidate(at: distance), candidate.isConsistent else { return false }
    let end = distance + candidate.header.length
    let isLast = try !input.fill(end + framing.headerLength)
    let next = header(at: end)
    return (isLast || next != nil || isNear(candidate.header)) && isTimely(candidate.header, next: next)
  }
}
