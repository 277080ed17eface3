/// The files that a session can be had as.
package enum ExportedFormat: String, Hashable, Sendable, CaseIterable {
  case csv, json, rr, btsnoop, kubios, fit, fhir

  var mediaType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json; charset=utf-8"
    case .rr, .kubios: "text/plain; charset=utf-8"
    case .btsnoop, .fit: "application/octet-stream"
    case .fhir: "application/fhir+json; charset=utf-8"
    }
  }

  /// How the name of the file ends.
  var suffix: String {
    switch self {
    case .csv, .json, .btsnoop, .fit: rawValue
    case .rr: "rr.txt"
    case .kubios: "kubios.txt"
    case .fhir: "fhir.json"
    }
  }
}
