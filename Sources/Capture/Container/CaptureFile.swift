/// A capture file, whose format is detected. It can be read any number of times.
package struct CaptureFile: Sendable {
  /// The number of bytes that identify all formats but PacketLogger.
  private static let headLength = 64
  /// The number of records between two reports of progress.
  private static let progressInterval = 20_000

  private let file: InputFile
  private let chunk: Int

  /// Creates a capture file that is read `chunk` bytes at a time. The result does not depend on it.
  init(_ file: InputFile, chunk: Int = CaptureInput.chunk) {
    self.file = file
    self.chunk = chunk
  }

  /// The name of the file for messages.
  package var path: String { file.name }

  /// Calls `body` with the records in order and their bytes, and `progress` now and then with the fraction of the file that was
  /// read, 0 … 1.
  func forEachRecord(
    progress: (Double) -> Void = { _ in },
    _ body: (CaptureRecord, Span<UInt8>, inout CaptureSummary) throws -> Void
  ) throws -> CaptureSummary {
    var input = try CaptureInput(file, chunk: chunk)
    guard try input.fill(1) else { throw CaptureError.empty(path: path) }
    _ = try input.fill(Self.headLength)
    if BtsnoopFraming.isMagic(input.buffer.span.extracting(input.window)) {
      var summary = CaptureSummary(format: .btsnoop)
      let framing = try btsnoopFraming(input.buffer.span.extracting(input.window), &summary)
      input.skip(BtsnoopFraming.fileHeaderLength)
      return try run(framing, input, summary, progress, body)
    }
    if let framing = PcapFraming(fileHeader: input.buffer.span.extracting(input.window)) {
      var summary = CaptureSummary(format: .pcap)
      if framing.isDamaged { summary.addDamage(at: 0, length: 4, problem: "the name of the format is damaged") }
      input.skip(PcapFraming.fileHeaderLength)
      return try run(framing, input, summary, progress, body)
    }
    if let framing = PcapngFraming(firstBytes: input.buffer.span.extracting(input.window)) {
      return try run(framing, input, CaptureSummary(format: .pcapng), progress, body)
    }
    if PcapFraming.isMagic(input.buffer.span.extracting(input.window)) {
      throw CaptureError.badHeader(
        path: path, format: .pcap,
        problem: "it ends after \(input.window.count) of \(PcapFraming.fileHeaderLength) bytes")
    }
    _ = try input.fill(PacketLoggerFraming.searched)
    if let framing = PacketLoggerFraming(firstBytes: input.buffer.span.extracting(input.window)) {
      return try run(framing, input, CaptureSummary(format: .packetLogger), progress, body)
    }
    throw CaptureError.unknownFormat(path: path, firstBytes: Array(input.buffer[input.window].prefix(8)))
  }

  private func run<Framing: CaptureFraming>(
    _ framing: Framing, _ input: consuming CaptureInput, _ start: CaptureSummary, _ progress: (Double) -> Void,
    _ body: (CaptureRecord, Span<UInt8>, inout CaptureSummary) throws -> Void
  ) throws -> CaptureSummary {
    var summary = start
    let size = Double(max(1, input.fileSize ?? 0))
    var reader = ResynchronisingReader(framing: framing, input: input)
    var untilProgress = 0
    try reader.forEach(&summary) { record, bytes, summary in
      try body(record, bytes.extracting(record.data), &summary)
      untilProgress -= 1
      if untilProgress < 0 {
        progress(min(1, Double(record.offset) / size))
        untilProgress = Self.progressInterval
      }
    }
    return summary
  }

  private func btsnoopFraming(
    _ start: Span<UInt8>, _ summary: inout CaptureSummary
  ) throws(CaptureError) -> BtsnoopFraming {
    guard let version = start.bigEndian32(at: 8), let datalink = start.bigEndian32(at: 12) else {
      throw .badHeader(
        path: path, format: .btsnoop,
        problem: "it ends after \(start.count) of \(BtsnoopFraming.fileHeaderLength) bytes")
    }
    if !start.extracting(first: BtsnoopFraming.magic.count).equals(BtsnoopFraming.magic) {
      summary.addDamage(at: 0, length: 8, problem: "the name of the format is damaged")
    }
    if version != 1 {
      summary.addDamage(at: 8, length: 4, problem: "version \(version) is not known; read as version 1")
    }
    return BtsnoopFraming(link: LinkType(btsnoop: datalink))
  }
}
