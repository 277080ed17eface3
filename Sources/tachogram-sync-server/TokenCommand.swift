import ArgumentParser

/// `token`: the tokens of clients.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Add, list and revoke the tokens of clients.",
    discussion: "A running server observes every change at once.",
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}
