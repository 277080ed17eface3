import Pipeline
import Repository
import TachogramCore

extension LiveRecorder {
  /// The result of an event, for display.
  package struct Update: Sendable {
    package let event: StrapEvent
    package let batch: SessionBatch
    /// The current session of the strap, or `nil` until the strap is identified. Do not keep it, since it would be copied.
    package let live: LiveSession?
    /// Whether a person has stopped recording the strap.
    package let isSuspended: Bool
    /// The latest known reason why received notifications are not stored, or `nil` if they are stored.
    package let storageFailure: RepositoryError?

    /// The session that is recorded, or received if nothing is stored at all.
    package var session: SessionDescription? { isSuspended ? nil : live?.description }
  }

  /// The session of one strap at its end.
  package struct Ended: Sendable {
    package let report: SessionReport
    package let statistics: LinkStatistics
  }
}
