/// A format in which a session is exported, with its names in commands, on the page and in the API.
package struct ExportFormat: Hashable, Sendable {
  /// The name in commands and requests, such as `csv`.
  package let name: String
  /// The title that is shown to users, such as `CSV`.
  package let title: String
  /// A description of the content for users.
  package let words: String
  /// The file name extension without its dot.
  package let fileExtension: String
  /// The media type in HTTP.
  package let mediaType: String
  /// Whether the format is binary.
  package let isBinary: Bool

  package init(
    name: String, title: String, words: String, fileExtension: String? = nil, mediaType: String, isBinary: Bool = false
  ) {
    self.name = name
    self.title = title
    self.words = words
    self.fileExtension = fileExtension ?? name
    self.mediaType = mediaType
    self.isBinary = isBinary
  }
}
