import FoundationEssentials
import StressKit
import TachogramCore

/// A complete session of another database.
package struct CopiedSession: Sendable {
  package let description: SessionDescription
  /// Links, entries and the rows derived from them.
  package let batch: SessionBatch
  package var note: String?
  package var markers: [SessionMarker] = []
  package var readings: [HRVReading] = []
  package var night: SleepSession?
  /// The stress levels among the derived rows that a person deleted, and their metric.
  package var deletedStress: Set<UUID> = []
  package let kind: HRVKind

  package init(_ description: SessionDescription, _ batch: SessionBatch, kind: HRVKind) {
    self.description = description
    self.batch = batch
    self.kind = kind
  }
}
