import CPostgreSQL

/// libpq, loaded by the first connection of the process.
enum PostgreSQLLibrary {
  /// `nil` where it is not installed. Its functions are constant.
  static let functions: tachogram_pg? = {
    var functions = tachogram_pg()
    return tachogram_pg_load(&functions) == 1 ? functions : nil
  }()
}
