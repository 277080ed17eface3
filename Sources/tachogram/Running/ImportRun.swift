import Capture
import CommandProcess
import Exchange
import Presentation

/// The import of files one after the other: a file that fails does not keep the others from being imported.
struct ImportRun<Imported: Encodable> {
  private struct Answer: Encodable {
    let imported: [Imported]
    let failed: [String]
    /// The entries of folders that are not files.
    let skipped: [String]
  }

  private let list: ImportList
  private var imported: [Imported] = []
  private var failures: [CommandFailure]

  /// Lists files, and the files of folders. Throws if there is none.
  init(_ files: [String]) throws {
    list = ImportList(files)
    failures = list.failures
    for line in list.skipped { StandardStreams.error("tachogram: \(line)") }
    for failure in failures { StandardStreams.error("tachogram: \(failure.message)") }
    if list.files.isEmpty, let failure = failures.first { throw CommandFailure("", code: failure.code) }
  }

  /// Imports each file with `body`, and writes `line` of what it contained if the format is text.
  mutating func run(
    _ format: OutputFormat, line: (Imported) -> String, _ body: (InputFile) async throws -> [Imported]
  ) async throws {
    for file in list.files {
      if Interrupt.isRequested { throw CommandFailure("stopped by the user before \(file)", code: .interrupted) }
      let input = InputFile(file)
      do {
        let found = try await body(input)
        Interrupt.noteStoring()
        imported += found
        if format == .text { for one in found { StandardStreams.out(line(one)) } }
        if let failure = InputInterrupt.cutOff(input) {
          fail(failure)
          break
        }
      } catch {
        let failure = InputInterrupt.failure(error, of: input)
        guard failure.code != .interrupted else { throw failure }
        fail(failure)
      }
    }
  }

  private mutating func fail(_ failure: CommandFailure) {
    StandardStreams.error("tachogram: \(failure.message)")
    failures.append(failure)
  }

  /// Writes the result if the format is JSON. Throws the first failure.
  func finish(_ format: OutputFormat) throws {
    if format == .json {
      StandardStreams.out(
        try JSONOutput.line(Answer(imported: imported, failed: failures.map(\.message), skipped: list.skipped)))
    }
    if let failure = failures.first { throw CommandFailure("", code: failure.code) }
  }
}
