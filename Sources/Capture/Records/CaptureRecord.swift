/// One record of a capture, with the headers of its link type.
struct CaptureRecord {
  /// Where the record begins, in bytes from the start of the file.
  var offset: UInt64
  /// The capture time, in microseconds since 1970-01-01T00:00:00Z by the capture's clock; `nil` if it is unknown.
  var time: Int64?
  var link: LinkType
  /// The flags of the container: those of btsnoop (bit 0: received), or the equivalent of pcapng's packet flags if
  /// `hasDirection`.
  var flags: UInt32 = 0
  /// Whether bit 0 of `flags` is valid.
  var hasDirection = false
  /// The range of the data in the record.
  var data: Range<Int>
  /// The number of packets that the capturing system reports as dropped since the previous record.
  var dropped: UInt64 = 0
  /// Whether the drop counter decreased.
  var isDropCounterReset = false
}
