import Capture

/// Reads files of intervals in the same way as captures, with the errors of `RRSeriesReader`.
extension CaptureInput {
  /// Opens a file of intervals, to be read `chunk` bytes at a time.
  init(intervals file: InputFile, chunk: Int) throws(RRSeriesError) {
    do {
      try self.init(file, chunk: chunk)
    } catch {
      throw .file(error)
    }
  }

  /// Makes at least `count` bytes available. Returns `false` if the file has fewer left.
  mutating func holds(_ count: Int) throws(RRSeriesError) -> Bool {
    do {
      return try fill(count)
    } catch {
      throw .file(error)
    }
  }
}
