import Foundation

/// A runner of the built program, as a user would run it.
package enum Program {
  /// A failure of the program to do what a test requested.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package typealias Result = ChildProcess.Ending

  /// The URL of the program, beside the running test bundle.
  package static var url: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("tachogram")
  }

  /// The state folder of these tests alone.
  private static let stateFolder = NSTemporaryDirectory() + "/tachogram-tests-\(getuid())"

  /// Runs the program to its end. The state folders of the user who runs the tests are not used.
  package static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
  ) async throws -> Result {
    try await start(arguments, in: folder, environment: environment).end()
  }

  /// Runs the program to its end. Throws `Failure` if its exit status is not 0.
  package static func success(_ arguments: String...) async throws -> Result {
    let result = try await run(arguments)
    guard result.status == 0 else { throw Failure(description: "\(arguments): \(result.errors)") }
    return result
  }

  /// Returns the sessions in a database, as objects of the JSON output.
  package static func sessions(in database: String) async throws -> [[String: Any]] {
    let listed = try await success("sessions", "--format", "json", "--database", database)
    guard let sessions = try listed.object()["sessions"] as? [[String: Any]] else {
      throw Failure(description: "no sessions are listed: \(listed.text)")
    }
    return sessions
  }

  /// Starts the program. After `readingPieces` pieces of output its reader closes.
  package static func start(
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
  package static func start(_ arguments: [String], writingTo path: String) throws -> ChildProcess {
    try ChildProcess.start(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "exec \"$0\" \"$@\" >\"$OUTPUT\"", url.path] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "OUTPUT": path])
  }
}

extension ChildProcess.Ending {
  /// Returns standard output as a JSON object.
  package func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: output) as? [String: Any] ?? [:]
  }
}
