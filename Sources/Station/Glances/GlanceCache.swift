import TachogramCore

/// What was read from the database for glances, and when each part has to be read again.
struct GlanceCache: Sendable {
  enum Part: Hashable, Sendable {
    case directory
    case history(GlanceSubject)
  }

  enum Content: Sendable {
    case directory(GlanceDirectory)
    case history(GlanceHistory, of: GlanceSubject)
    /// The part could not be read; the previous content remains.
    case failure(Part)
  }

  /// The time after which a part is read again.
  static let interval: Duration = .seconds(300)
  /// The time after which a part that could not be read is read again.
  static let retryInterval: Duration = .seconds(60)

  /// The directory, or `nil` if it was never read.
  private(set) var directory: GlanceDirectory?
  private var histories: [GlanceSubject: GlanceHistory] = [:]
  private var due: [Part: MonotonicTime] = [:]

  /// The number of parts that are kept: those of stored persons and of paired straps.
  var count: Int { due.count }

  /// Whether a part has to be read.
  func isDue(_ part: Part, at now: MonotonicTime) -> Bool {
    due[part].map { $0 <= now } ?? true
  }

  /// Returns a history, which is empty if it could not be read.
  func history(of subject: GlanceSubject) -> GlanceHistory { histories[subject] ?? GlanceHistory() }

  /// Stores what was read at a time. The histories of persons that are no longer stored are removed, and of straps that are not paired.
  mutating func store(_ content: Content, at now: MonotonicTime) {
    switch content {
    case .directory(let new):
      directory = new
      due[.directory] = now.advanced(by: Self.interval)
      for subject in Array(histories.keys) where !new.holds(subject) {
        histories[subject] = nil
        due[.history(subject)] = nil
      }
    case .history(let history, let subject):
      histories[subject] = history
      due[.history(subject)] = now.advanced(by: Self.interval)
    case .failure(let part): due[part] = now.advanced(by: Self.retryInterval)
    }
  }
}
