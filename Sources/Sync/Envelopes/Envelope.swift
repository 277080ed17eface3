/// A sealed chunk: its header, and its body unless that was deleted.
package struct Envelope: Hashable, Sendable {
  package let header: EnvelopeHeader
  /// The sealed content, or `nil` if it was deleted.
  package let body: [UInt8]?

  package init(header: EnvelopeHeader, body: [UInt8]?) {
    self.header = header
    self.body = body
  }

  /// Decodes an envelope: a header that is followed by the whole body or by nothing. Neither the signature nor the digest of
  /// the body is verified.
  package init(bytes: [UInt8]) throws(FormatFailure) {
    var reader = ByteReader(bytes)
    header = try EnvelopeHeader.read(&reader)
    if reader.remaining == 0 {
      body = nil
    } else {
      body = try reader.read(header.bodyLength, "body")
      try reader.finish("body")
    }
  }

  /// The encoded envelope.
  package var bytes: [UInt8] { header.bytes + (body ?? []) }

  /// The envelope with its body deleted.
  package var withoutBody: Envelope { Envelope(header: header, body: nil) }
}
