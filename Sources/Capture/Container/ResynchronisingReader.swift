/// Reads records in the order of the file, and finds the next one after damage.
///
/// A record is believed when its header is possible and it holds together in itself, or when a possible header follows it
/// (or the file ends with it) and no convincing record hides inside it, as when a damaged length swallows what follows. A
/// record whose time lies apart from both its neighbours, which lie together, is damage too. Behind damage only a
/// convincing record is believed: one that holds together and is followed by a possible header or the end of the file.
struct ResynchronisingReader<Framing: CaptureFraming>: ~Copyable {
  /// How far, in microseconds, a record's time may lie from its neighbours' without being doubted.
  private static var undoubted: Int64 { 10_000_000 }
  /// How far, in microseconds, the last record's time may lie from the one before it: a day.
  private static var lastStep: Int64 { 86_400_000_000 }

  private var framing: Framing
  private(set) var input: CaptureInput
  /// The header at the read position, where it was already looked at.
  private var nextHeader: RecordHeader?
  /// When the last record that was believed was captured.
  private var lastTime: Int64?

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
        nextHeader = nil
      case .damaged(let problem):
        summary.addDamage(at: input.offset, length: UInt64(header.length), problem: problem)
        nextHeader = nil
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
    guard let header = nextHeader ?? header(at: 0) else {
      try passDamage(input.window.count < framing.headerLength ? .cutHeader : .impossibleHeader, &summary)
      return nil
    }
    nextHeader = nil
    guard try input.fill(header.length) else {
      // Either the file was cut here, or the length is wrong and more records follow.
      try passDamage(.longerThanFile, &summary)
      return nil
    }
    let hasNext = try input.fill(header.length + framing.headerLength)
    let next = self.header(at: header.length)
    if !isConsistent(header, at: 0) {
      let hidesRecord = try hidesRecord(header)
      if hidesRecord || (hasNext && next == nil) {
        try passDamage(.contradictory(length: header.length), &summary)
        return nil
      }
    }
    guard isTimely(header, next: next) else {
      summary.addDamage(at: input.offset, length: UInt64(header.length), problem: "time apart from its neighbours'")
      input.skip(header.length)
      nextHeader = next
      return nil
    }
    nextHeader = next
    return header
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

  /// Whether the time of a record agrees with a neighbour's.
  private func isTimely(_ header: RecordHeader, next: RecordHeader?) -> Bool {
    guard let time = header.time, let lastTime, abs(time - lastTime) > Self.undoubted else { return true }
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
    nextHeader = nil
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
    guard let header = header(at: distance), try input.fill(distance + header.length),
      isConsistent(header, at: distance)
    else { return false }
    let end = distance + header.length
    let hasNext = try input.fill(end + framing.headerLength)
    let next = self.header(at: end)
    return (!hasNext || next != nil) && isTimely(header, next: next)
  }
}
