import FoundationEssentials

/// Values of the configuration without their secrets, for showing them.
package enum HiddenSecrets {
  private static let hidden = "hidden"
  /// The parts of queries that are shown; others may be secrets.
  private static let shownFields: Set = ["db", "rp", "org", "bucket", "precision", "u"]

  /// Returns the text of a value of the key `path`: a passkey is hidden, and in a URL the user, or his password, and what may be
  /// secret in the query. The path of a webhook is a secret with many services.
  package static func text(_ text: String, of path: String) -> String {
    if path == "radio.passkey" { return "(\(hidden))" }
    guard var url = URLComponents(string: text), url.host != nil else { return text }
    let original = url
    if url.password != nil { url.password = hidden } else if url.user != nil { url.user = hidden }
    url.queryItems = url.queryItems?.map { item in
      shownFields.contains(item.name) ? item : URLQueryItem(name: item.name, value: item.value.map { _ in hidden })
    }
    if path == "alerts.webhook", url.path.count > 1 { url.path = "/\(hidden)" }
    return url == original ? text : url.string ?? "(\(hidden))"
  }
}
