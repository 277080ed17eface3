/// What the header of a record says before the record is taken in.
struct RecordHeader {
  /// Bytes of the whole record, its header included.
  var length: Int
  /// When it was captured, in microseconds since 1970; `nil` where the header has no time.
  var time: Int64?
}
