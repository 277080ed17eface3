import FileSystem
import FoundationEssentials

/// The paths of the files that stand beside a database.
package enum AccessFolder {
  /// Returns the path of `name` in the folder of a database.
  package static func path(beside database: String, _ name: String) -> String {
    let start = database.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    let folder = AtomicFile.folder(of: start + database) ?? "."
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}
