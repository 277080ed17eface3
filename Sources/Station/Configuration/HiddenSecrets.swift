import FoundationEssentials

/// Values of the configuration without their secrets, for showing them.
package enum HiddenSecrets {
  private static let hidden = "(hidden)"
  /// Parts of queries that servers of InfluxDB accept as secrets.
  private static let secretFields: Set = ["p", "token", "password"]

  /// Returns the text of a value of the key `path`: a passkey is hidden, and in a URL the password and what is secret in its query.
  package static func text(_ text: String, of path: String) -> String {
    if path == "radio.passkey" { return hidden }
    guard var url = URLComponents(string: text), url.host != nil else { return text }
    var isHidden = false
    if url.password != nil {
      (url.password, isHidden) = ("hidden", true)
    }
    url.queryItems = url.queryItems?.map { item in
      guard secretFields.contains(item.name), item.value?.isEmpty == false else { return item }
      isHidden = true
      return URLQueryItem(name: item.name, value: "hidden")
    }
    return isHidden ? url.string ?? hidden : text
  }
}
