/// The way in which the end of a request body is determined (RFC 9112, 6). Ambiguous framing is refused.
enum BodyFraming: Equatable {
  case none
  /// The length in octets.
  case length(Int)
  case chunked

  /// `limit` is the largest body, in octets.
  init(_ fields: RequestFields, _ version: HTTPVersion, limit: Int) throws(RequestFailure) {
    if !fields.transferEncodings.isEmpty {
      guard version == .http11 else { throw .transferEncodingInHTTP10 }
      guard fields.contentLengths.isEmpty else { throw .contentLengthWithTransferEncoding }
      let codings = fields.transferEncodings.flatMap(RequestFields.elements)
      guard codings.last == "chunked", !codings.dropLast().contains("chunked") else { throw .transferEncoding }
      guard codings.count == 1 else { throw .unknownTransferCoding }
      self = .chunked
    } else if let text = fields.contentLengths.first {
      guard fields.contentLengths.count == 1 else { throw .repeatedContentLength }
      guard !text.isEmpty, text.utf8.allSatisfy(HTTPOctets.isDigit) else { throw .contentLength }
      // A number too large for an integer is still a length.
      guard let length = Int(text), length <= limit else { throw .bodyTooLarge(limit: limit) }
      self = length == 0 ? .none : .length(length)
    } else {
      self = .none
    }
  }

  /// Returns the maximum length of the body, in octets, of which `limit` are allowed.
  func longest(_ limit: Int) -> Int {
    switch self {
    case .none: 0
    case .length(let length): length
    case .chunked: limit
    }
  }
}
