import Repository
import TachogramCore

/// What a session has that a format cannot hold.
struct ExportOmissions {
  private let format: ExportFormat
  private var missing: [String] = []

  /// Reads of the session whether it has any of it.
  init(of session: StoredSession, in format: ExportFormat) throws {
    self.format = format
    guard format != .json, format != .fhir else { return }
    let description = session.description
    if format == .kubios {
      missing.append("the date (import it with --start \(Timestamp.exactText(try session.firstInterval())))")
    }
    if try !session.repository.stress(of: session.id).isEmpty { missing.append("stress levels") }
    if description.person != nil { missing.append("the person") }
    if description.label != nil { missing.append("the label") }
    if format != .btsnoop, description.madeFrom == nil { missing.append("the strap and its notifications") }
    let hasGaps = session.record.gapCount > 0
    switch format {
    case .rr where hasGaps: missing.append("when beats were, but for the length of gaps")
    case .kubios where hasGaps: missing.append("gaps below 0.25 s and the reasons of gaps")
    case .fit:
      missing.append("intervals below a millisecond" + (hasGaps ? ", gaps below a second and their reasons" : ""))
      missing.append("the start below a second")
    default: break
    }
  }

  /// A sentence without its full stop; `nil` where the format holds everything.
  var note: String? {
    guard let last = missing.last else { return nil }
    let list = missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and " + last
    return "\(format.rawValue) does not hold \(list); json holds everything"
  }
}

extension StoredSession {
  /// When the first interval began, by the clock at the start of the session; that start without beats.
  func firstInterval() throws -> WallTime {
    guard let beat = try repository.firstBeat(of: id) else { return description.start }
    return description.wall(Self.beginning(of: beat))
  }
}
