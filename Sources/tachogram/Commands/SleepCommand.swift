import ArgumentParser

/// `sleep`: the nights among the stored sessions.
struct SleepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep", abstract: "Estimate sleep stages, and list, show, export and import nights.",
    discussion: """
      The stages are experimental estimates: docs/sleep.md tells how well they agree with those of sleep laboratories. \
      They are no diagnosis.
      """,
    subcommands: [
      SleepStageCommand.self, SleepListCommand.self, SleepShowCommand.self, SleepExportCommand.self,
      SleepImportCommand.self,
    ])
}
