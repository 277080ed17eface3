import Foundation

/// Runs the built program as a user does.
struct Program {
  struct Result {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard output as a JSON object.
    func object() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: output) as? [String: Any] ?? [:]
    }
  }

  /// The program stands beside the test bundle that is running.
  static var url: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("tachogram")
  }

  /// Runs the program to its end. The state folders of the user who runs the tests are not used.
  static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
  ) throws -> Result {
    let process = process(arguments, in: folder, environment: environment)
    let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent("tachogram-\(UUID().uuidString).err")
    _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errorFile) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: data,
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }

  static func process(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
  ) -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}
