import Foundation
import TachogramTestKit

extension TemporaryFolder {
  private static let database = "tachogram.sqlite"

  /// The path of the database of a test that makes only one in it.
  var database: String { path(Self.database) }

  /// The bytes of that database.
  func read() throws -> Data { try read(Self.database) }
}
