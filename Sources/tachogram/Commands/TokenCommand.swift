import ArgumentParser
import CommandProcess
import Repository
import Station

/// `token`: what a browser on another machine needs.
struct TokenCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Show the token that the page requires on the network.",
    discussion: "It is made the first time that it is needed, and kept in a file beside the database.")

  static let ending = Interrupt.Ending.nothing

  @OptionGroup var options: StationOptions

  @Flag(help: "Create a new token. The old one stops working at the next start of the station.")
  var new = false

  func perform() async throws {
    let path = try options.database(try options.load())
    // The token stands beside the database: never in a folder of another program.
    try TachogramDatabase.checkOwn(path: path)
    let token = AccessToken(database: path)
    do {
      StandardStreams.out((new ? try token.make() : try token.readOrMake()) + "\n")
    } catch let failure as AccessToken.Failure {
      throw CommandFailure(failure.description)
    }
  }
}
