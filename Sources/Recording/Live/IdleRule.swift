/// Decides which sessions end because nothing is received.
struct IdleRule: Sendable {
  /// The time without notifications after which a session ends, or `nil` for no limit.
  var endAfter: Duration?
  /// The sessions in which a person sleeps, and the least time without notifications after which they end.
  var nights: Set<String> = []
  var silenceOfNights: Duration = .zero

  /// Whether a session that has been silent for `silence` is over.
  func isOver(_ session: String?, silence: Duration) -> Bool {
    guard let endAfter else { return false }
    let isNight = session.map(nights.contains) ?? false
    return silence >= (isNight ? max(endAfter, silenceOfNights) : endAfter)
  }
}
