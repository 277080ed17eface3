import ArgumentParser

/// `sync`: keeps several stations of one person equal.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Keep several stations equal, through a store that cannot read what it keeps.",
    discussion: """
      A space has members: readers, which read and write everything in it, and sensors, which only add. Everything is \
      encrypted before it leaves the station. A store is a folder that all stations reach, such as one on a NAS or a USB \
      stick, or a sync server. A running station synchronises by itself. docs/sync.md describes it step by step.
      """,
    subcommands: [
      SyncInitCommand.self, SyncInviteCommand.self, SyncJoinCommand.self, SyncStatusCommand.self, SyncNowCommand.self,
      SyncLogCommand.self, SyncMembersCommand.self, SyncRemoveCommand.self, SyncRecoverCommand.self,
      SyncRepairCommand.self, SyncAcceptCommand.self, SyncResetCommand.self, SyncLeaveCommand.self,
    ])
}
