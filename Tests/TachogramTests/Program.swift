import Foundation
import TachogramTestKit
import Testing

/// Runs the built program as a user does.
enum Program {
  typealias Result = ChildProcess.Ending

  /// The program stands beside the test bundle that is running.
  static var url: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("tachogram")
  }

  /// Of these tests alone.
  private static let stateFolder = NSTemporaryDirectory() + "/tachogram-tests-\(getuid())"

  /// Runs the program to its end. The state folders of the user who runs the tests are not used.
  static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
  ) async throws -> Result {
    try await start(arguments, in: folder, environment: environment).end()
  }

  /// Runs the program to its end, which must be a good one.
  static func success(_ arguments: String...) async throws -> Result {
    let result = try await run(arguments)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return result
  }

  /// The sessions in a database, as objects of the JSON output.
  static func sessions(in database: String) async throws -> [[String: Any]] {
    let listed = try await success("sessions", "--format", "json", "--database", database)
    return try #require(listed.object()["sessions"] as? [[String: Any]])
  }

  /// Starts the program. `readingPieces`: after so many pieces of output its reader is gone.
  static func start(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
    input: FileHandle = .nullDevice, readingPieces: Int = .max,
  ) throws -> ChildProcess {
    try ChildProcess.start(
      url, arguments, in: folder,
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_DATA_HOME": stateFolder]
        .merging(environment) { $1 }, input: input,
      readingPieces: readingPieces)
  }

  /// Starts the program with its standard output in a file or a named pipe.
  static func start(_ arguments: [String], writingTo path: String) throws -> ChildProcess {
    try ChildProcess.start(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" \"$@\" >\"$OUTPUT\"", url.path] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "OUTPUT": path])
  }
}

extension ChildProcess.Ending {
  /// Standard output as a JSON object.
  func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: output) as? [String: Any] ?? [:]
  }
}
