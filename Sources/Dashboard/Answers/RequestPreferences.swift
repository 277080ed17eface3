import HTTPServer
import HTTPTypes

/// The encodings that a client accepts and the versions that it has cached (RFC 9110, 12.5.3 and 13.1.2).
struct RequestPreferences {
  let headers: HTTPFields

  /// Whether an answer may be compressed with gzip.
  var acceptsGzip: Bool {
    guard let list = headers[.acceptEncoding] else { return false }
    let weights = Dictionary(RequestFields.elements(list).map(Self.weight)) { first, _ in first }
    return (weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0) > 0
  }

  /// Whether the client already has the version with this tag.
  func has(_ tag: String) -> Bool {
    guard let list = headers[.ifNoneMatch] else { return false }
    return list.split(separator: ",").contains { element in
      let given = element.drop { $0 == " " || $0 == "\t" }
      let strong = given.hasPrefix("W/") ? given.dropFirst(2) : given
      return strong.prefix { $0 != " " && $0 != "\t" } == tag || given == "*"
    }
  }

  /// Parses a coding with its weight, such as `gzip;q=0.5`.
  private static func weight(_ element: String) -> (coding: String, weight: Double) {
    let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
    return (parts.first ?? "", weight ?? 1)
  }
}
