import ArgumentParser
import CommandProcess
import Repository
import TachogramCore

/// `sessions unmark`: deletes a marker of a session.
struct SessionUnmarkCommand: AsyncCommand {
  static let configuration = CommandConfiguration(commandName: "unmark", abstract: "Delete a marker of a session.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @Argument(help: "The identifier of the marker, which `tachogram sessions SESSION` shows.")
  var marker: String

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try database.change(for: .writing) { database in
      let record = try SessionRepository(database: database).session(matching: session)
      try AnnotationRepository(database: database).unmark(record.description.id, marker.lowercased())
    }
  }
}
