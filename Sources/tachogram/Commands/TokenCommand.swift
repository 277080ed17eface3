import Access
import ArgumentParser
import CommandProcess
import Presentation
import Repository
import Station
import TachogramCore

/// `token`: shows and manages the tokens for browsers on other machines.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Show and manage the tokens that the page requires on the network.",
    discussion: """
      The station's own token is created the first time that it is needed. Others have a name and a scope: a full token \
      allows everything, a token for reading allows no change, deletion, pairing or export. Tokens for glances, for the \
      overlay and for metrics open these alone; those for glances and the overlay are accepted in an address: \
      /glance/small.svg?token=…, /overlay?token=…. Changes apply at once. All are kept in files beside the database; of named \
      tokens only a digest is stored. With sudo these are the tokens of the packaged station.
      """,
    subcommands: [Show.self, List.self, Add.self, Revoke.self], defaultSubcommand: Show.self)

  /// Runs `body` with the database of the station, for root the packaged one, and with the rights of the station's user.
  private static func run<Value>(_ options: StationOptions, _ body: (String) throws -> Value) throws -> Value {
    let station = try OpenedStation(options)
    return try station.asOwner {
      // Tokens are never written into a folder of another program.
      try TachogramDatabase.checkOwn(path: station.database)
      return try body(station.database)
    }
  }

  struct Show: AsyncCommand {
    static let configuration = CommandConfiguration(abstract: "Show the station's own token (the default).")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    @Flag(help: "Create a new token. The old one stops working at once.")
    var new = false

    func perform() async throws {
      let text = try TokenCommand.run(options) { database in
        let token = StationToken(database: database)
        return new ? try token.make() : try token.readOrMake()
      }
      StandardStreams.out(text + "\n")
    }
  }

  struct List: AsyncCommand {
    static let configuration = CommandConfiguration(abstract: "List the named tokens, with scope and last use.")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    @Option(help: "text or json.")
    var format = OutputFormat.text

    private struct Item: Encodable {
      let id: String
      let name: String
      let scope: TokenScope
      let created: String?
      let lastUse: String?
    }

    func validate() throws {
      if format == .ndjson { throw ValidationError("token list does not support ndjson; use text or json.") }
    }

    func perform() async throws {
      let items = try TokenCommand.run(options) { try TokenStore(database: $0).tokens() }.map { token in
        Item(
          id: token.id, name: token.name, scope: token.scope, created: token.created.map(Timestamp.text),
          lastUse: token.lastUse.map(Timestamp.text))
      }
      if format == .json { return StandardStreams.out(try JSONOutput.line(["tokens": items])) }
      if items.isEmpty { return StandardStreams.out("There are no named tokens.\n") }
      for item in items {
        StandardStreams.out(
          TerminalText.line("\(item.name): \(item.scope.rawValue), last used \(item.lastUse ?? "never")") + "\n")
      }
    }
  }

  struct Add: AsyncCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a token and show it. It cannot be shown again.")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    @Argument(help: "A name for the token, such as the device that uses it.")
    var name: String

    @Option(help: "full, read, glance, overlay or metrics.")
    var scope = TokenScope.read

    func perform() async throws {
      let issued = try TokenCommand.run(options) {
        try TokenStore(database: $0).add(TokenCommand.name(name), scope, at: SystemTimeSource().now().wall)
      }
      StandardStreams.out(issued.secret + "\n")
    }
  }

  struct Revoke: AsyncCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a named token. Browsers that use it are logged out at once.")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    @Argument(help: "The name of the token.")
    var name: String

    func perform() async throws {
      let isRevoked = try TokenCommand.run(options) {
        let store = TokenStore(database: $0)
        let known = try store.tokens().filter { $0.name == name }
        return try known.map { try store.revoke($0.id) }.contains(true)
      }
      guard isRevoked else {
        throw CommandFailure("there is no token named \(TerminalText.line(name)); `tachogram token list` shows all")
      }
    }
  }

  private static func name(_ text: String) throws -> ChosenName {
    do {
      return try ChosenName(text)
    } catch {
      throw CommandFailure("the name of the token: \(error)", code: .badUsage)
    }
  }
}

extension TokenScope: ExpressibleByArgument {}
