import ArgumentParser

/// `sessions`: lists and changes stored sessions.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List, name, mark, split and merge the stored sessions.",
    subcommands: [
      SessionListCommand.self, SessionEditCommand.self, SessionMarkCommand.self, SessionUnmarkCommand.self,
      SessionSplitCommand.self, SessionMergeCommand.self,
    ], defaultSubcommand: SessionListCommand.self)
}
