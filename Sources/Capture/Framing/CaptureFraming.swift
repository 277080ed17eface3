/// How one format cuts its file into records. A framing judges headers; it never reads past what it is given.
protocol CaptureFraming {
  /// Whether a record repeats its length at its end, so that one that holds together certainly ends there.
  static var hasLengthAtEnd: Bool { get }

  /// As many bytes as `header(of:)` may look at; at the end of a file it gets fewer.
  var headerLength: Int { get }

  /// What the header that begins `bytes` says; `nil` when no record can begin so.
  func header(of bytes: Span<UInt8>) -> RecordHeader?

  /// Whether the whole record holds together in itself, so that its length can be believed without a successor.
  func isConsistent(_ record: Span<UInt8>) -> Bool

  /// Takes in the whole record at `offset` of the file. It may be asked again about one that it did not take as a
  /// packet, if the record's header has a time.
  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord
}
