import TachogramCore

/// The sessions of an export in one ZIP file: those that began in a range of time.
package struct ExportQuery: Hashable, Sendable {
  package let format: ExportFormat
  /// The person, or `nil` for everybody.
  package let person: String?
  package let range: ClosedRange<WallTime>
}
