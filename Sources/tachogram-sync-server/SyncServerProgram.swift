import ArgumentParser

/// The program: parses the command line and runs one command.
@main
struct SyncServerProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram-sync-server",
    abstract: "Keep the sealed chunks of stations, so that they share their history without showing it.",
    discussion: """
      The server stores what stations have encrypted and cannot read it. Every client needs a token, which belongs to \
      the first space that it is used for.

      Without `--database` and `--postgresql`, the database is `sync.sqlite` in the state folder that systemd names, or \
      in `/var/lib/tachogram-sync-server`. The environment variable `TACHOGRAM_SYNC_POSTGRESQL` does what `--postgresql` \
      does, and other users do not see it: an address with a password belongs there.

      Exit codes: 0 done, 1 failed, 64 bad usage.
      """,
    version: "0.2.0", subcommands: [ServeCommand.self, TokenCommand.self])
}
