/// A destination of the bytes of an export.
package protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

extension ByteSink {
  package func write(_ text: String) throws {
    try write(Array(text.utf8))
  }
}
