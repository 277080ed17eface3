/// The files that a session can be had as.
package enum ExportedFormat: String, Hashable, Sendable, CaseIterable {
  case csv, json, rr, btsnoop

  var mediaType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json; charset=utf-8"
    case .rr: "text/plain; charset=utf-8"
    case .btsnoop: "application/octet-stream"
    }
  }

  var suffix: String {
    self == .rr ? "txt" : rawValue
  }
}
