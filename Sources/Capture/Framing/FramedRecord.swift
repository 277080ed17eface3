/// What a whole record turned out to be.
enum FramedRecord {
  /// It carries a packet.
  case packet(CaptureRecord)
  /// It describes the file, or about the records that follow; maybe that packets were dropped before it.
  case structure(dropped: UInt64 = 0)
  /// It contradicts itself or what came before; the words say how.
  case damaged(String)
}
