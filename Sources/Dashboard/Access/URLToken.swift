import HTTPTypes
import Hummingbird

/// The token in the URL of a request, and the request without it.
struct URLToken {
  static let parameter = "token"
  /// The maximum length of a token, in Unicode scalars.
  private static let longest = 200

  let secret: String
  let request: Request

  /// Takes the token from a request. Returns `nil` if there is none.
  init?(_ request: Request) throws {
    let values = request.uri.queryParameters.filter { $0.key == Self.parameter[...] }.map(\.value)
    guard let secret = values.first else { return nil }
    guard values.count == 1, secret.unicodeScalars.count <= Self.longest else {
      throw DashboardError.badRequest("\(Self.parameter) is given once, with 1 to \(Self.longest) characters.")
    }
    self.secret = String(secret)
    var head = request.head
    head.path = head.path.map(Self.removed)
    self.request = Request(head: head, body: request.body)
  }

  /// Returns a request target without the parameter.
  static func removed(from target: String) -> String {
    guard let start = target.firstIndex(of: "?") else { return target }
    let items = target[target.index(after: start)...].split(separator: "&", omittingEmptySubsequences: false)
    let kept = items.filter { item in item.prefix { $0 != "=" } != parameter[...] }
    return target[..<start] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }
}
