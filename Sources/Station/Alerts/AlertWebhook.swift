/// Posts alerts to an address of the web, as JSON objects. curl does it: it knows proxies, certificates and when to try
/// again, and takes no memory of the station while there is nothing to report.
struct AlertWebhook {
  let url: String
  /// The program that finds curl.
  var finder = "/usr/bin/env"

  /// What curl is to do, as its configuration, since others can read a command line. It tries again after 1 s, 2 s, 4 s
  /// and so on, for a quarter of an hour.
  static func request(_ url: String, _ json: String) -> String {
    """
    url = \(quoted(url))
    header = "Content-Type: application/json"
    data-raw = \(quoted(json))
    user-agent = "tachogram"
    output = "/dev/null"
    fail
    silent
    globoff
    location
    proto = "=http,https"
    max-redirs = 3
    post301
    post302
    post303
    max-time = 30
    retry = 9
    retry-all-errors
    retry-max-time = 900

    """
  }

  /// As curl reads it between quotes.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\", "\"": quoted += "\\\(character)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return "\"\(quoted)\""
  }

  /// Posts a message. Returns what kept it from being posted; `nil` when nothing did.
  func post(_ json: String) async -> String? {
    let program = AlertProgram(
      path: finder, arguments: ["curl", "--disable", "--config", "-"], timeout: .seconds(1200))
    return switch await program.run(reading: Self.request(url, json)) {
    case .succeeded: nil
    case .notStarted(let problem): problem
    case .failed(6): "its host is not known"
    case .failed(7), .failed(28): "its host did not answer"
    case .failed(22): "it answered with an error"
    case .failed(127): "it needs curl: apt install curl"
    case .failed(let status): "curl ended with \(status)"
    }
  }
}
