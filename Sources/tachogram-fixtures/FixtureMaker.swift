import Foundation
import TachogramTestKit

/// Writes the generated inputs of the fixtures. `tools/test make-fixtures` runs it.
@main
enum FixtureMaker {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: tachogram-fixtures FOLDER\n".utf8))
      exit(2)
    }
    let top = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    for fixture in FixtureCases.all {
      let folder = top.appendingPathComponent(fixture.name, isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(fixture.input()).write(to: folder.appendingPathComponent("input.btsnoop"))
      let readme = """
        # \(fixture.name)

        \(fixture.summary)

        `input.btsnoop` was made by the project's own encoder and writer (`tools/test make-fixtures`,
        `Sources/TachogramTestKit/FixtureCases.swift`); no person was measured. Beside it stands what
        `tachogram replay input.btsnoop --format json` answers.

        """
      try Data(readme.utf8).write(to: folder.appendingPathComponent("README.md"))
    }
  }
}
