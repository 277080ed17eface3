import Foundation
import TachogramFuzz
import TachogramTestKit

/// A program that runs the targets of `TachogramFuzz` on files, and writes their seeds. Built with `-DFUZZING` and a fuzzer, it
/// fuzzes the target in `TACHOGRAM_FUZZ_TARGET`. Run by tools/fuzz.
#if !FUZZING
  @main
#endif
enum FuzzProgram {
  private static let usage = """
    usage: tachogram-fuzz list                     the targets, each with its longest input in bytes
           tachogram-fuzz seeds FOLDER             writes the seeds of each target to a folder of its name
           tachogram-fuzz run TARGET PATH…         runs files, or all files of folders

    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "list" where arguments.count == 1:
      for target in FuzzTarget.allCases { print(target.rawValue, target.longestInput) }
    case "seeds" where arguments.count == 2:
      try writeSeeds(URL(fileURLWithPath: arguments[1], isDirectory: true))
    case "run" where arguments.count > 2:
      guard let target = FuzzTarget(rawValue: arguments[1]) else { return refuse("\(arguments[1]) is no target\n") }
      exit(try FuzzRun(target: target).run(arguments[2...].map { URL(fileURLWithPath: $0) }))
    default:
      refuse(usage)
    }
  }

  private static func writeSeeds(_ folder: URL) throws {
    let fixtures = try FixtureLocator.folder()
    for target in FuzzTarget.allCases {
      let place = folder.appendingPathComponent(target.rawValue, isDirectory: true)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for seed in try target.seeds(fixtures: fixtures) {
        try Data(seed.bytes).write(to: place.appendingPathComponent("seed-\(seed.name)"))
      }
    }
  }

  private static func refuse(_ words: String) {
    FileHandle.standardError.write(Data(words.utf8))
    exit(2)
  }
}
