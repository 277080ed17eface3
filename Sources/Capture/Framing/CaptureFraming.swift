/// The record structure of one capture format. A framing validates headers, and never reads beyond the bytes passed to it.
protocol CaptureFraming {
  /// Whether a record repeats its length at its end, so that the end of a consistent record is certain.
  static var hasLengthAtEnd: Bool { get }

  /// The most bytes that `header(of:)` reads. At the end of a file, fewer are passed.
  var headerLength: Int { get }

  /// Returns the header at the start of `bytes`, or `nil` if it is not a possible header.
  func header(of bytes: Span<UInt8>) -> RecordHeader?

  /// Whether the whole record is consistent, so that its length can be trusted without a following record.
  func isConsistent(_ record: Span<UInt8>) -> Bool

  /// Reads the whole record at `offset` of the file. This may be called again for a record that was not a packet, if the
  /// record's header has a time.
  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord
}
