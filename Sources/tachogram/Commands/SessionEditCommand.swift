import ArgumentParser
import CommandProcess
import Presentation
import Repository
import TachogramCore

/// `sessions edit`: changes the label, the note or the person of a session.
struct SessionEditCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the label, the note or the person of a session.",
    discussion: "An empty text removes the value: --label \"\".")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @Option(help: "A name of the session.", transform: { try Self.value($0, ChosenName.init, \.text) })
  var label: String?

  @Option(help: "A text of several lines.", transform: { try Self.value($0, SessionNote.init, \.text) })
  var note: String?

  @Option(help: "The person who wore the strap.", transform: { try Self.value($0, ChosenName.init, \.text) })
  var person: String?

  @OptionGroup var database: DatabaseOption

  func validate() throws {
    if label == nil, note == nil, person == nil {
      throw ValidationError("Use at least one of --label, --note and --person.")
    }
  }

  func perform() async throws {
    let edit = SessionEdit(
      person: person.map(Self.removable), label: label.map(Self.removable), note: note.map(Self.removable))
    // A recorder would store further stress levels of the earlier person.
    try database.change(for: person == nil ? .writing : .exclusive) { database in
      let record = try SessionRepository(database: database).session(matching: session)
      try AnnotationRepository(database: database).change(record.description.id, edit)
    }
  }

  private static func removable(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// Returns a text to be stored, or an empty one. Throws a validation error if the text is not valid.
  private static func value<Text>(
    _ text: String, _ make: (String) throws -> Text, _ stored: (Text) -> String
  ) throws -> String {
    guard !text.isEmpty else { return "" }
    do {
      return stored(try make(text))
    } catch {
      throw ValidationError("\(error) An empty text removes it.")
    }
  }
}
