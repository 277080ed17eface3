/// The descriptions of the retention, for people.
enum RetentionWording {
  static func lines(_ retention: StationConfiguration.Retention) -> [String] {
    [
      line("Sessions, with every notification,", retention.sessions),
      line("The windows of each minute", retention.windows),
      line("What hours and days amounted to", retention.trends),
    ]
  }

  private static func line(_ what: String, _ span: TimeSpan?) -> String {
    let verb = what.hasPrefix("What") ? "is" : "are"
    return span.map { "\(what) \(verb) deleted after \(text($0))." } ?? "\(what) \(verb) kept for ever."
  }

  private static func text(_ span: TimeSpan) -> String {
    let days = span.seconds / 86_400
    if days == 1 { return "a day" }
    if days > 1, span.seconds.isMultiple(of: 86_400) { return "\(days) days" }
    return span.text
  }
}
