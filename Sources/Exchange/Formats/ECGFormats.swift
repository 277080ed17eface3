import CommandProcess

/// What the formats of electrocardiograms have in common.
enum ECGFormats {
  /// Returns the reason why a session cannot be exported, or `nil` if it has an electrocardiogram.
  static func refusal(of session: StoredSession) throws -> String? {
    guard session.sensors != nil else {
      return "electrocardiograms are not exported with --pseudonym: they identify a person"
    }
    if try ECGSurvey.hasFrame(session) { return nil }
    return
      "session \(session.id) has no electrocardiogram; straps send it only when it is asked for, and it is kept for a "
      + "limited time"
  }

  static func omissions(_ survey: ECGSurvey) -> [String] {
    survey.unusableCount > 0 ? ["frames that cannot be read (\(survey.unusableCount))"] : []
  }
}
