/// A format in which a session leaves the house, as commands, page and API name it.
package struct ExportFormat: Hashable, Sendable {
  /// In commands and questions, such as `csv`.
  package let name: String
  /// What it is called, for people, such as `CSV`.
  package let title: String
  /// What is in it, for people.
  package let words: String
  /// How the name of a file ends, without its dot.
  package let fileExtension: String
  /// As HTTP has it.
  package let mediaType: String
  /// Whether it is for programs alone.
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
