import FileSystem

/// The paths of the files that stand beside a database.
package enum AccessFolder {
  /// Returns the path of `name` in the folder of a database.
  package static func path(beside database: String, _ name: String) -> String {
    guard let folder = AtomicFile.folder(of: database) else { return name }
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}
