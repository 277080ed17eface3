import GRDB
import GRDBSQLite
import Repository

/// How many steps of SQLite's virtual machine something takes: a cost that is the same on every machine.
enum StepCount {
  private final class Counter {
    var steps = 0
  }

  /// The steps of what `body` does with a database in memory, whose connection it is.
  static func of(_ database: TachogramDatabase, _ body: () throws -> Void) throws -> Int {
    let counter = Counter()
    func handle(_ handler: (@convention(c) (UnsafeMutableRawPointer?) -> CInt)?) {
      database.writer.writeWithoutTransaction { db in
        sqlite3_progress_handler(db.sqliteConnection, 1, handler, Unmanaged.passUnretained(counter).toOpaque())
      }
    }
    handle { context in
      guard let context else { return 0 }
      Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().steps += 1
      return 0
    }
    defer { withExtendedLifetime(counter) {} }
    try body()
    handle(nil)
    return counter.steps
  }
}
