/// Takes the bytes of an export.
protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

extension ByteSink {
  func write(_ text: String) throws {
    try write(Array(text.utf8))
  }
}
