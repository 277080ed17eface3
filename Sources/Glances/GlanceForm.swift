/// The forms of a glance; the raw value is the file extension.
package enum GlanceForm: String, Hashable, Sendable, CaseIterable, Codable {
  /// A picture.
  case svg
  /// Values for programs, as `GlanceDocument` documents them.
  case json
  /// One to three lines for status bars.
  case txt

  /// The media type, with the character set for text (RFC 6838; SVG 2, appendix N; RFC 8259).
  package var mediaType: String {
    switch self {
    case .svg: "image/svg+xml"
    case .json: "application/json"
    case .txt: "text/plain; charset=utf-8"
    }
  }
}
