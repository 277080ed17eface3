/// A validated note about a session: text of several lines without other control characters. Leading and trailing white space
/// is removed.
package struct SessionNote: Hashable, Sendable {
  /// The maximum length in Unicode scalars, as the schema of the page's API counts them.
  package static let longest = 2000

  package let text: String

  /// Creates a note. Throws if the text has no visible character, an invalid character, or too many characters.
  package init(_ text: String) throws(SessionNoteError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    var rows: [String] = []
    for line in lines {
      do throws(ChosenNameError) {
        rows.append(try ChosenName(String(line), longest: Self.longest).text)
      } catch {
        switch error {
        case .invisible: rows.append("")
        case .forbidden(let scalar): throw .forbidden(scalar)
        case .tooLong(let characters): throw .tooLong(characters: characters)
        }
      }
    }
    while rows.first?.isEmpty == true { rows.removeFirst() }
    while rows.last?.isEmpty == true { rows.removeLast() }
    let note = rows.joined(separator: "\n")
    guard !note.isEmpty else { throw .invisible }
    guard note.unicodeScalars.count <= Self.longest else { throw .tooLong(characters: note.unicodeScalars.count) }
    self.text = note
  }

  /// Whether a text is a note without any change.
  package static func isNote(_ text: String) -> Bool {
    (try? SessionNote(text).text.utf8.elementsEqual(text.utf8)) ?? false
  }
}
