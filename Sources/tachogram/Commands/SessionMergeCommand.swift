import ArgumentParser
import CommandProcess
import Presentation
import Recording
import Repository
import Sessions
import TachogramCore

/// `sessions merge`: merges two sessions into one.
struct SessionMergeCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge two sessions of one strap and one person into one.",
    discussion: """
      The later session is appended to the earlier one, with its note and markers, and the time between them becomes a gap. \
      What was received is kept, and beats, HRV and stress are derived again. Where stations share their sessions, the result \
      is a new session. Its identifier is printed.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "A session, by its identifier or at least the first four characters of it.")
  var session: String

  @Argument(help: "Another session.")
  var other: String

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try database.change(for: .exclusive) { database in
      let repository = SessionRepository(database: database)
      let (one, two) = (try repository.session(matching: session), try repository.session(matching: other))
      StandardStreams.out(try SessionEditor.alone(in: database).merge(one, two) + "\n")
    }
  }
}
