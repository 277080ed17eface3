import ArgumentParser

/// `sleep`: the nights among the stored sessions.
struct SleepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep",
    abstract: "Start and stop nights, estimate their sleep stages, and list, show, export and import them.",
    discussion: """
      The stages are experimental estimates: docs/sleep.md tells how well they agree with those of sleep laboratories. \
      They are no diagnosis.
      """,
    subcommands: [
      SleepStartCommand.self, SleepStopCommand.self, SleepStageCommand.self, SleepListCommand.self,
      SleepShowCommand.self, SleepForgetCommand.self, SleepExportCommand.self, SleepImportCommand.self,
    ])
}
