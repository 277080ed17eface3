import Capture
import TachogramCore

/// A reader of the RR intervals of a FIT file. They are in hrv messages (global number 78), whose field 0 is an array of
/// intervals in 1/1000 s, padded with 0xFFFF. Layout: FIT protocol (D00001275); message and field numbers: FIT profile.
///
/// Nothing in FIT marks where a record begins. After damage, the reader skips to the next definition message that is valid in
/// every byte. Damage within values can only be detected by the checksum; the values are used all the same.
struct FITReader: ~Copyable {
  private let path: String
  private var input: CaptureInput
  private var checksum = FITChecksum()
  private var series = RRSeries(format: .fit)
  private var timeline = FITTimeline()
  /// The definitions, by local type.
  private var definitions: [FITDefinition?] = []
  /// The timestamp of the last message that had one. Compressed headers count on from it.
  private var timestamp: UInt32?
  /// Whether this is the first of the files that are concatenated. Between files, a gap of unknown length is added.
  private var isFirstFile = true

  private let mostIntervals: Int

  init(path: String, input: consuming CaptureInput, mostIntervals: Int) {
    self.path = path
    self.mostIntervals = mostIntervals
    self.input = input
  }

  /// Reads all concatenated files.
  consuming func read() throws(RRSeriesError) -> RRSeries {
    while try input.holds(1) {
      _ = try input.holds(255)
      guard let header = FITHeader(input.buffer.span.extracting(input.window)) else {
        try passOverRest()
        break
      }
      try readFile(header)
      isFirstFile = false
    }
    series.intervals = timeline.intervals
    guard !series.intervals.isEmpty else {
      throw .noSeries(path: path, why: .noHRVMessages(messages: series.records))
    }
    return series
  }

  /// Skips the bytes after the last file.
  private mutating func passOverRest() throws(RRSeriesError) {
    let start = input.offset
    while try input.holds(1) { input.skip(input.window.count) }
    if isFirstFile {
      series.isTruncated = true
      series.add(byte: start, length: input.offset - start, problem: "the header is cut off")
    } else {
      series.add(byte: start, length: input.offset - start, problem: "what follows the file is no FIT file")
    }
  }

  // MARK: - One file

  private mutating func readFile(_ header: FITHeader) throws(RRSeriesError) {
    checksum = FITChecksum()
    definitions = Array(repeating: nil, count: 16)
    timestamp = nil
    if !isFirstFile { timeline.breakOff() }
    let start = input.offset
    consume(FITHeader.shortest)
    if let stored = header.checksum, stored != checksum.value {
      series.add(byte: start + 12, length: 0, problem: "the checksum of the header is wrong")
    }
    consume(header.length - FITHeader.shortest)
    var end = input.offset + UInt64(header.dataLength)
    if header.dataLength == 0 {
      // A watch that lost power has not written the length.
      end = .max
      series.add(byte: start + 4, length: 0, problem: "the header gives no length; read to the end")
    }
    try readRecords(to: end)
    guard end != .max, !series.isTruncated else { return }
    guard try input.holds(2), let stored = input.buffer.span.extracting(input.window).littleEndian16(at: 0) else {
      return truncate(problem: "the file ends before its checksum")
    }
    if stored != checksum.value {
      series.add(byte: input.offset, length: 0, problem: "the checksum is wrong: something in the file is damaged")
    }
    input.skip(2)
  }

  private mutating func readRecords(to end: UInt64) throws(RRSeriesError) {
    while input.offset < end, !series.isTruncated {
      guard timeline.intervals.count <= mostIntervals else {
        throw .noSeries(path: path, why: .tooManyIntervals(limit: mostIntervals))
      }
      guard try input.holds(1) else {
        if end != .max { truncate(problem: "the file ends \(end - input.offset) bytes early") }
        return
      }
      let header = input.buffer[input.window.lowerBound]
      let isDefinition = header & 0xC0 == 0x40
      if try isDefinition ? !readDefinition(header, end) : !readData(header, end) { try passOverDamage(to: end) }
    }
  }

  /// Reads a definition message. Returns `false` if it is not a valid definition.
  private mutating func readDefinition(_ header: UInt8, _ end: UInt64) throws(RRSeriesError) -> Bool {
    _ = try input.holds(FITDefinition.longest)
    guard let definition = FITDefinition(input.buffer.span.extracting(input.window)),
      UInt64(definition.length) <= end - input.offset
    else {
      return false
    }
    definitions[Int(header & 0x0F)] = definition
    consume(definition.length)
    return true
  }

  /// Reads a data message. Returns `false` if it is not a valid data message.
  private mutating func readData(_ header: UInt8, _ end: UInt64) throws(RRSeriesError) -> Bool {
    let isCompressed = header & 0x80 != 0
    // Three bits of a normal header are reserved.
    guard isCompressed || header & 0x30 == 0,
      let definition = definitions[Int(isCompressed ? header >> 5 & 0x03 : header & 0x0F)]
    else { return false }
    let length = 1 + definition.contentLength
    guard UInt64(length) <= end - input.offset else { return false }
    guard try input.holds(length) else {
      truncate(problem: "the file ends within a message")
      return true
    }
    if isCompressed { timestamp = timestamp.map { Self.time(after: $0, offset: header & 0x1F) } }
    let content = input.window.lowerBound + 1..<input.window.lowerBound + length
    read(definition, content)
    series.records += 1
    consume(length)
    return true
  }

  /// Returns the first time at or after `time` whose five low bits are `offset` (FIT protocol, "Compressed Timestamp Header").
  private static func time(after time: UInt32, offset: UInt8) -> UInt32 {
    time &+ (UInt32(offset) &- time & 0x1F)
  }

  // MARK: - Messages

  private mutating func read(_ definition: FITDefinition, _ content: Range<Int>) {
    if let time = definition.timestamp(in: input.buffer.span.extracting(content)) {
      timestamp = time
      if series.start == nil { series.start = FITWriter.time(time) }
    }
    switch definition.globalNumber {
    case FITDefinition.hrv: readIntervals(definition.numbers(0, in: input.buffer.span.extracting(content)))
    case FITDefinition.event:
      readEvent(
        definition.byte(0, in: input.buffer.span.extracting(content)),
        type: definition.byte(1, in: input.buffer.span.extracting(content)))
    default: break
    }
  }

  private mutating func readIntervals(_ numbers: [UInt16]?) {
    guard let numbers else {
      series.add(byte: input.offset, length: 0, problem: "the intervals of an hrv message are no 16-bit numbers")
      return timeline.breakOff()
    }
    for number in numbers where number != .max {
      if number == 0 {
        series.add(byte: input.offset, length: 0, problem: "0 ms is no RR interval")
        timeline.breakOff()
      } else {
        timeline.add(milliseconds: Double(number))
      }
    }
  }

  /// Handles an event. Event 0 is the timer; type 0 starts it, and types 1, 4, 8 and 9 stop it.
  private mutating func readEvent(_ event: UInt8?, type: UInt8?) {
    guard event == 0, let type else { return }
    switch type {
    case 0: timeline.startTimer(at: timestamp)
    case 1, 4, 8, 9: timeline.stopTimer(at: timestamp)
    default: break
    }
  }

  // MARK: - Damage

  /// Skips at least one byte, up to the next definition message or the end of the file.
  private mutating func passOverDamage(to end: UInt64) throws(RRSeriesError) {
    let start = input.offset
    var isFound = false
    while input.offset < end, try input.holds(1) {
      if input.offset > start {
        _ = try input.holds(FITDefinition.longest)
        if let found = FITDefinition(input.buffer.span.extracting(input.window)),
          UInt64(found.length) <= end - input.offset
        {
          isFound = true
          break
        }
      }
      consume(1)
    }
    timeline.breakOff()
    let next = isFound ? "read on from the next definition" : "nothing behind it can be read"
    series.add(byte: start, length: input.offset - start, problem: "no message that is defined stands here; \(next)")
  }

  private mutating func truncate(problem: String) {
    series.isTruncated = true
    series.add(byte: input.offset, length: UInt64(input.window.count), problem: problem)
    input.skip(input.window.count)
  }

  /// Consumes `count` bytes and adds them to the checksum.
  private mutating func consume(_ count: Int) {
    let taken = input.window.prefix(count)
    var sum = checksum
    sum.add(input.buffer.span.extracting(taken.startIndex..<taken.endIndex))
    checksum = sum
    input.skip(count)
  }
}
