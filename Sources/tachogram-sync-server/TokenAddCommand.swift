import ArgumentParser
import Foundation
import SyncServer

/// `token add`: makes a token.
struct TokenAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a token, and show it this once.",
    discussion: """
      Several tokens may be used for one space, such as one for each station. Only a digest is stored: a token that is lost \
      is revoked and replaced.
      """)

  @Argument(help: "A name for the token, such as that of its station.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "How many bytes the space may have for the token to put more: `500M`, `2G`.",
      discussion: "0 allows any number. A year of nights has 40 MB, a year round the clock 120 MB.", valueName: "size"))
  var quota = ByteCount(2 << 30)

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard (1...64).contains(name.count), !name.contains(where: { $0.isNewline || $0.isWhitespace }),
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw ValidationError("A name has 1 to 64 characters and no space.") }
  }

  func run() async throws {
    let database = try database.open()
    let secret = SyncTokenSecret()
    let token = SyncToken(
      name: name, digest: secret.digest, quota: quota.bytes == 0 ? nil : quota.bytes,
      created: Int64(Date().timeIntervalSince1970))
    try await SyncTokenStorage(database).add(token)
    await database.close()
    print(secret.text)
  }
}
