/// The result of reading a whole record.
enum FramedRecord {
  /// It carries a packet.
  case packet(CaptureRecord)
  /// It describes the file or the records that follow. `dropped` is the number of packets that it reports as dropped before it.
  case structure(dropped: UInt64 = 0)
  /// It contradicts itself or earlier records. The string describes the problem.
  case damaged(String)
}
