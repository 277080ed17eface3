/// The descriptions of the retention, for people.
enum RetentionWording {
  static func lines(_ retention: StationConfiguration.Retention) -> [String] {
    [
      line("Sessions, with every notification,", retention.sessions),
      line("The windows of each minute", retention.windows),
      line("Hourly and daily trends", retention.trends),
    ]
  }

  private static func line(_ what: String, _ span: TimeSpan?) -> String {
    span.map { "\(what) are deleted after \(text($0))." } ?? "\(what) are kept forever."
  }

  private static func text(_ span: TimeSpan) -> String {
    let days = span.seconds / 86_400
    if days == 1 { return "a day" }
    if days > 1, span.seconds.isMultiple(of: 86_400) { return "\(days) days" }
    return span.text
  }
}
