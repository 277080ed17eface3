/// The length and the time in the header of a record.
struct RecordHeader {
  /// The length of the whole record including its header, in bytes.
  var length: Int
  /// The capture time, in microseconds since 1970; `nil` if the header has no time.
  var time: Int64?
}
