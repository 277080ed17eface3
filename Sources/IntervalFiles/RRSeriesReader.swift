import Capture

/// A reader of RR intervals from a file whose format is recognised by its content: text in many dialects, or FIT.
package struct RRSeriesReader: Sendable {
  /// The number of bytes by which formats are recognised.
  private static let headLength = 64
  /// The first bytes of files in other formats that are easily confused with an export.
  private static let otherKinds: [([UInt8], String)] = [
    (Array("PK\u{3}\u{4}".utf8), "a zip archive or a spreadsheet"), ([0x1F, 0x8B], "a gzip archive"),
    (Array("%PDF".utf8), "a PDF document"), (Array("SQLite format 3".utf8), "a database"),
    (Array("{".utf8), "JSON"), (Array("<?xml".utf8), "XML"),
  ]

  private let file: InputFile

  private let chunk: Int

  private let mostIntervals: Int

  package init(path: String) {
    self.init(path: path, chunk: CaptureInput.chunk)
  }

  /// Creates a reader of a file, in reads of at least `chunk` bytes. The series does not depend on `chunk`.
  package init(path: String, chunk: Int, mostIntervals: Int = RRSeries.mostIntervals) {
    file = InputFile(path: path, isReadOnce: true)
    self.chunk = chunk
    self.mostIntervals = mostIntervals
  }

  /// Creates a reader of a file that other readers use too.
  package init(_ file: InputFile) {
    self.file = file
    chunk = CaptureInput.chunk
    mostIntervals = RRSeries.mostIntervals
  }

  /// Reads the whole file. Throws an error if it cannot be read, or is not certain to contain RR intervals.
  package func read() throws(RRSeriesError) -> RRSeries {
    let path = file.name
    var input = try CaptureInput(intervals: file, chunk: chunk)
    guard try input.holds(1) else { throw .file(.empty(path: path)) }
    _ = try input.holds(Self.headLength)
    if FITHeader.isMagic(input.buffer.span.extracting(input.window)) {
      return try FITReader(path: path, input: input, mostIntervals: mostIntervals).read()
    }
    if let refusal = Self.refusal(input.buffer.span.extracting(input.window)) {
      throw .noSeries(path: path, why: refusal)
    }
    return try RRTextReader(path: path, mostIntervals: mostIntervals).read(input)
  }

  /// Returns the reason for refusing a file with these first bytes, or `nil` if it can be text.
  private static func refusal(_ head: Span<UInt8>) -> RRSeriesRefusal? {
    if let format = CaptureFormat(firstBytes: head) { return .capture(format) }
    for (magic, kind) in otherKinds
    where head.count >= magic.count && head.extracting(first: magic.count).equals(magic) {
      return .otherKind(kind)
    }
    return nil
  }
}
