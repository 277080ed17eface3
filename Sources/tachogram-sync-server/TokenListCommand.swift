import ArgumentParser
import Foundation
import SyncServer

/// `token list`: shows tokens, without their secrets.
struct TokenListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens, and how much their spaces use.")

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    let database = try database.open()
    let uses = try await SyncTokenStorage(database).tokens()
    await database.close()
    let rows = uses.map { use in
      let token = use.token
      let date = Date(timeIntervalSince1970: Double(token.created)).formatted(.iso8601.year().month().day())
      return [
        token.name, date, token.space.map { String("\($0)".prefix(12)) } ?? "-", "\(ByteCount(use.byteCount))",
        token.quota.map { "\(ByteCount($0))" } ?? "-",
      ]
    }
    let table = [["NAME", "MADE", "SPACE", "USED", "QUOTA"]] + rows
    for row in table {
      let cells = row.enumerated().map { index, cell in
        let width = table.map { $0[index].count }.max() ?? 0
        return cell + String(repeating: " ", count: index < row.count - 1 ? width - cell.count : 0)
      }
      print(cells.joined(separator: "  "))
    }
  }
}
