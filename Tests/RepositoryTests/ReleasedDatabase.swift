import GRDB
import TachogramTestKit

/// The databases of released schemas (`Fixtures/databases`).
enum ReleasedDatabase {
  /// Makes the database of a version at a path, and runs `addition` in it.
  static func make(_ version: Int, at path: String, adding addition: String = "") throws {
    let text = try FixtureLocator.databaseText(version: version)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: text + addition) }
    try queue.close()
  }
}
