/// A response as received from the network.
package struct RawResponse: Hashable, Sendable {
  package let status: Int
  /// The header fields, with names in lower case.
  package let fields: [String: String]
  package let body: String

  /// Splits the bytes from a server into responses. Returns `nil` if a part is not a response. Bodies end by their length, in
  /// chunks, or with the connection.
  package static func all(_ text: String) -> [RawResponse]? {
    var rest = Array(text.utf8)[...]
    var responses: [RawResponse] = []
    while !rest.isEmpty {
      guard let response = next(&rest) else { return nil }
      responses.append(response)
    }
    return responses
  }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> RawResponse? {
    guard let line = line(&rest), line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
      return nil
    }
    var fields: [String: String] = [:]
    while let field = Self.line(&rest), !field.isEmpty {
      let parts = field.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[1].hasPrefix(" ") else { return nil }
      fields[parts[0].lowercased()] = String(parts[1].dropFirst())
    }
    let body: ArraySlice<UInt8>
    if (100..<200).contains(status) || status == 204 || status == 304 {
      body = []
    } else if let length = fields["content-length"].flatMap({ Int($0) }) {
      // The response to HEAD has the length of an absent body.
      body = rest.starts(with: "HTTP/1.1 ".utf8) ? [] : rest.prefix(length)
    } else if fields["transfer-encoding"] == "chunked" {
      guard let whole = chunks(&rest) else { return nil }
      body = whole[...]
    } else {
      // The response to HEAD may also lack a length.
      body = rest.starts(with: "HTTP/1.1 ".utf8) ? [] : rest
    }
    if fields["transfer-encoding"] == nil { rest = rest.dropFirst(body.count) }
    return RawResponse(status: status, fields: fields, body: String(decoding: body, as: UTF8.self))
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(of: 10), end > rest.startIndex, rest[end - 1] == 13 else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<(end - 1)], as: UTF8.self)
  }

  private static func chunks(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var whole: [UInt8] = []
    while let size = line(&rest).flatMap({ Int($0, radix: 16) }) {
      whole += rest.prefix(size)
      rest = rest.dropFirst(size)
      guard line(&rest) == "" else { return nil }
      if size == 0 { return whole }
    }
    return nil
  }
}
