/// One record of a capture, still in its link type's own wrapping.
struct CaptureRecord {
  /// Where the record begins, in bytes from the start of the file.
  var offset: UInt64
  /// When it was captured, in microseconds since 1970-01-01T00:00:00Z by the capture's clock; `nil` where the capture does
  /// not tell.
  var time: Int64?
  var link: LinkType
  /// Bits that the container keeps beside the data: the flags of btsnoop (bit 0: received), or the same meaning made from
  /// pcapng's packet flags when `hasDirection`.
  var flags: UInt32 = 0
  /// Whether bit 0 of `flags` says anything.
  var hasDirection = false
  /// Where the data stands in the record.
  var data: Range<Int>
  /// Packets that the capturing system says it dropped since the record before.
  var dropped: UInt64 = 0
  /// Whether the counter of drops went back.
  var isDropCounterReset = false
}
