import Repository
import TachogramTestKit

/// Where a test keeps its database; the tests of what must hold for both run with each case.
enum TestStorage: CaseIterable, Sendable {
  case file, memory

  /// A new database; a file is made in `folder`, which must outlive it.
  func open(in folder: TemporaryFolder, name: String = "tachogram.sqlite") throws -> TachogramDatabase {
    switch self {
    case .file: try .open(path: folder.path(name))
    case .memory: try .inMemory()
    }
  }
}
