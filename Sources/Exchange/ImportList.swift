import Capture
import CommandProcess
import FileSystem
import Repository

/// The files that `import` reads for the paths it is passed. A folder stands for the files in it and in its subfolders, in the
/// order of their names.
package struct ImportList {
  /// The greatest depth of subfolders. Greater depths are considered a loop of mounts.
  private static let deepest = 16
  private static let ofKernel = "of files that the kernel generates while they are read"

  package private(set) var files: [BytePath] = []
  /// The items in folders that are not read, one per line.
  package private(set) var skipped: [String] = []
  /// The failures of reading folders.
  package private(set) var failures: [CommandFailure] = []

  package init(_ paths: [String]) {
    for path in paths.map({ BytePath($0) }) {
      guard PathKind(path.cString) == .folder else {
        do {
          try InputFile(path).check()
          files.append(path)
        } catch {
          failures.append(CommandFailure(error))
        }
        continue
      }
      if KernelFileSystem.holds(path.cString) {
        failures.append(CommandFailure("\(path): is a folder \(Self.ofKernel); copy what is wanted of it first"))
        continue
      }
      let before = files.count + failures.count
      add(folder: path, depth: 0)
      if files.count + failures.count == before {
        failures.append(CommandFailure("\(path): holds no file that can be imported", code: .badInput))
      }
    }
  }

  /// Adds the files in a folder, except hidden files and those being written.
  private mutating func add(folder: BytePath, depth: Int) {
    let names: [[UInt8]]
    do throws(FolderListing.Failure) {
      names = try FolderListing.names(in: folder)
    } catch {
      return failures.append(CommandFailure("\(folder): cannot be read: \(SystemError.text(error.errno))"))
    }
    for name in names where !name.starts(with: ".".utf8) && name.firstRange(of: Array(".part-".utf8)) == nil {
      let path = folder.appending(name)
      let kind = PathKind(path.cString)
      let isLink = PathKind.isLink(path.cString)
      let isOfKernel = [.file, .folder].contains(kind) && KernelFileSystem.holds(path.cString)
      switch kind {
      case .file where isOfKernel:
        skip(path, "\(isLink ? "a link to " : "")a file that the kernel generates while it is read")
      // Reading such a folder may have side effects, and may not end.
      case .folder where isOfKernel && !isLink: skip(path, "a folder \(Self.ofKernel)")
      case .file: files.append(path)
      case .folder where !isLink && depth < Self.deepest: add(folder: path, depth: depth + 1)
      case .folder where !isLink: skip(path, "lies in more than \(Self.deepest) folders")
      // The link may lead anywhere, even in a circle.
      case .folder: skip(path, "a link to a folder; name it to import what is in it")
      case .nothing: skip(path, isLink ? "a link to nothing" : "it has gone meanwhile")
      case .pipe: skip(path, "\(isLink ? "a link to " : "")\(kind.text); name it to import what comes through it")
      case .socket, .characterDevice, .blockDevice, .other: skip(path, (isLink ? "a link to " : "") + kind.text)
      }
    }
  }

  private mutating func skip(_ path: BytePath, _ why: String) {
    skipped.append("\(path): skipped: \(why)")
  }
}
