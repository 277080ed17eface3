/// Reads records in the order of the file, and finds the next one after damage.
///
/// A record is believed when its header is possible and it holds together in itself, or is followed by a possible header or
/// the end of the file. Where either it or its successor does not hold together, no convincing record may begin inside it,
/// as when its length swallows what follows. A record whose time lies apart from both its neighbours, which lie together,
/// is damage too. Behind damage only a convincing record is believed: one that holds together, and that is followed by a
/// possible header or the end of the file or was captured about when the last one was.
struct ResynchronisingReader<Framing: CaptureFraming>: ~Copyable {
  /// How far, in microseconds, a record's time may lie from its neighbours' without being doubted.
  private static var undoubted: Int64 { 10_000_000 }
  /// How far, in microseconds, the last record's time may lie from the one before it: a day.
  private static var lastStep: Int64 { 86_400_000_000 }

  private var framing: Framing
  private(set) var input: CaptureInput
  /// The record at the read position, where it was already looked at.
  private var next: Candidate?
  /// When the last record that was believed was captured.
  private var lastTime: Int64?

  /// A record that begins with a possible header.
  private struct Candidate {
    var header: RecordHeader
    /// Whether the whole record is there and holds together.
    var isConsistent: Bool
  }

  init(framing: Framing, input: consuming CaptureInput) {
    self.framing = framing
    self.input = input
  }

  /// Reads all records that carry a packet into `body`, with their bytes.
  mutating func forEach(
    _ summary: inout CaptureSummary,
    _ body: (CaptureRecord, Span<UInt8>, inout CaptureSummary) throws -> Void
  ) throws {
    while try input.fill(framing.headerLength) || !input.window.isEmpty {
      guard let header = try headerAtPosition(&summary) else { continue }
      let range = input.window.lowerBound..<(input.window.lowerBound + header.length)
      switch Self.accept(&framing, input, range) {
      case .packet(let record):
        summary.records += 1
        lastTime = record.time
        try body(record, input.buffer.span.extracting(range), &summary)
      case .structure:
        next = nil
      case .damaged(let problem):
        summary.addDamage(at: input.offset, length: UInt64(header.length), problem: problem)
        next = nil
      }
      input.skip(header.length)
    }
  }

  /// Apart from `self`, whose framing changes while its input is looked at.
  private static func accept(
    _ framing: inout Framing, _ input: borrowing CaptureInput, _ range: Range<Int>
  ) -> FramedRecord {
    framing.accept(input.buffer.span.extracting(range), at: input.offset)
  }

  // MARK: - Believing records

  /// The header of the record at the read position, the whole of which is in the buffer; `nil` when there was damage
  /// instead, which is passed over.
  private mutating func headerAtPosition(_ summary: inout CaptureSummary) throws(CaptureError) -> RecordHeader? {
    if next == nil { next = try candidate(at: 0) }
    guard let candidate = next else {
      try passDamage(input.window.count < framing.headerLength ? .cutHeader : .impossibleHeader, &summary)
      return nil
    }
    let header = candidate.header
    guard try input.fill(header.length) else {
      // Either the file was cut here, or the length is wrong and more records follow.
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

  /// The record at a distance from the read position; `nil` when none can begin there.
  private mutating func candidate(at distance: Int) throws(CaptureError) -> Candidate? {
    guard let header = header(at: distance) else { return nil }
    let isWhole = try input.fill(distance + header.length)
    return Candidate(header: header, isConsistent: isWhole && isConsistent(header, at: distance))
  }

  /// The header at a distance from the read position; `nil` when there is none.
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

  /// Whether a record was captured about when the last one was.
  private func isNear(_ header: RecordHeader) -> Bool {
    guard let time = header.time, let lastTime else { return false }
    return abs(time - lastTime) <= Self.undoubted
  }

  /// Whether the time of a record agrees with a neighbour's.
  private func isTimely(_ header: RecordHeader, next: RecordHeader?) -> Bool {
    guard let time = header.time, let lastTime, !isNear(header) else { return true }
    guard let nextTime = next?.time else { return abs(time - lastTime) <= Self.lastStep }
    return abs(nextTime - time) <= Self.undoubted || abs(nextTime - lastTime) > Self.undoubted
  }

  // MARK: - Passing over damage

  private enum Damage {
    case cutHeader
    case impossibleHeader
    case longerThanFile
    case contradictory(length: Int)

    /// Whether the file was cut off here when nothing sensible follows.
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

  /// Moves to the next convincing record behind the read position, or to the end of the file, and counts what was passed
  /// over.
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
