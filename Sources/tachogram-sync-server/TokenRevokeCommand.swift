import ArgumentParser
import SyncServer

/// `token revoke`: ends the use of a token.
struct TokenRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token. What its space has stays.")

  private struct UnknownToken: Error, CustomStringConvertible {
    let description: String
  }

  @Argument(help: "The name of the token.")
  var name: String

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    let database = try database.open()
    let isRevoked = try await SyncTokenStorage(database).revoke(name: name)
    await database.close()
    guard isRevoked else { throw UnknownToken(description: "there is no token with this name") }
  }
}
