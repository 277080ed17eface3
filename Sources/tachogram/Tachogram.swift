import ArgumentParser
import BluetoothKernel
import CommandProcess
import FileSystem
import Glibc
import Presentation

/// The program: parses the command line, runs one command, and ends with the documented exit codes.
@main
struct Tachogram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram",
    abstract: "Heart-rate gateway: captures of Bluetooth straps in; beats, HRV and stress out.",
    discussion: """
      Exit codes: 0 done, 1 failed, 2 bad usage, 3 input is damaged (with --strict) or has no heart-rate data, \
      4 Bluetooth not available, 130 on Ctrl-C; what was recorded until then ends in order, with 0.
      """,
    version: ProgramVersion.text,
    subcommands: [
      ScanCommand.self, PairCommand.self, StrapsCommand.self, LiveCommand.self, RecordCommand.self,
      ResetEnergyCommand.self, CaptureCommand.self, ReplayCommand.self, AnalyzeCommand.self, SessionsCommand.self,
      SleepCommand.self, SyncCommand.self,
      BaselineCommand.self, ExportCommand.self, ImportCommand.self, DeleteCommand.self, StationCommand.self,
      ConfigCommand.self, OpenCommand.self, CloseCommand.self, TokenCommand.self,
      ReprocessCommand.self, RestoreCommand.self, DecodeCommand.self, DoctorCommand.self,
    ],
  )

  static func main() {
    AmbientCapabilities.clear()
    Interrupt.install()
    do {
      try checkArguments()
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as CommandFailure {
      end(failure)
    } catch  where isOfCommandLine(error) {
      let isClean = exitCode(for: error) == .success
      let text = withoutControls(fullMessage(for: error))
      if !text.isEmpty, isClean { StandardStreams.out(text + "\n") }
      ProcessEnd.exit(isClean ? .done : .badUsage, saying: isClean ? [] : Self.lines(text))
    } catch {
      end(CommandFailure(error))
    }
    ProcessEnd.exit(.done)
  }

  /// Refuses arguments that are not UTF-8, which the parser would change, so that a file name would not match.
  private static func checkArguments() throws {
    let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    for case let argument? in arguments.dropFirst() {
      if String(validatingCString: argument) != nil { continue }
      let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument)).map(UInt8.init(bitPattern:))
      throw CommandFailure(
        "\(BytePath.text(bytes)): is not UTF-8, as every argument must be; rename the file, give it on standard input (- < FILE), "
          + "or import the folder that it is in", code: .badUsage)
    }
  }

  private static func end(_ failure: CommandFailure) -> Never {
    let lines = failure.message.isEmpty ? [] : ["tachogram: \(failure.message)"] + failure.details
    ProcessEnd.exit(failure.code, saying: lines)
  }

  /// Returns a text of the parser, in which quoted arguments have no control characters and line ends.
  private static func withoutControls(_ text: String) -> String {
    CommandLine.arguments.reduce(text) { text, argument in
      let line = TerminalText.line(argument)
      return line == argument ? text : text.replacing(argument, with: line)
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether an error is the parser's, such as requested help or bad usage, which has its own message.
  private static func isOfCommandLine(_ error: any Error) -> Bool {
    [.success, .validationFailure].contains(exitCode(for: error))
  }
}
