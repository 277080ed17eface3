import Capture

/// The same as a capture is read, with the errors of a file of intervals.
extension CaptureInput {
  /// A file of intervals, `chunk` bytes of which are read at a time.
  init(intervals file: InputFile, chunk: Int) throws(RRSeriesError) {
    do {
      try self.init(file, chunk: chunk)
    } catch {
      throw .file(error)
    }
  }

  /// Makes at least `count` bytes available; `false` when the file has fewer left.
  mutating func holds(_ count: Int) throws(RRSeriesError) -> Bool {
    do {
      return try fill(count)
    } catch {
      throw .file(error)
    }
  }
}
