import ArgumentParser
import CommandProcess
import Presentation
import Recording
import Station
import TachogramCore

/// `config`: the configuration of the station.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check or show the configuration of the station.",
    subcommands: [Check.self, Show.self])

  struct Check: AsyncCommand {
    static let configuration = CommandConfiguration(
      abstract: "Report errors in the configuration. Exits with 2 if there are any.")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    func perform() async throws {
      let configuration = try options.load()
      for remark in configuration.remarks { StandardStreams.error("tachogram: warning: \(remark)") }
      do {
        for remark in try configuration.http.tls.map({
          try PageCertificate.check($0, at: SystemTimeSource().now().wall)
        }) ?? [] {
          StandardStreams.error("tachogram: \(remark.level): \(remark.text)")
        }
      } catch {
        throw CommandFailure("the page cannot be served with TLS: \(error)", code: .badUsage)
      }
      StandardStreams.out(
        "the configuration is right"
          + (options.loader.path.map { " (\(TerminalText.line($0)))" } ?? "; there is no file") + "\n")
    }
  }

  struct Show: AsyncCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show every key with its value and where the value comes from.")

    static let ending = Interrupt.Ending.nothing

    @OptionGroup var options: StationOptions

    @Option(help: "text or json.")
    var format = OutputFormat.text

    private struct Item: Encodable {
      let key: String
      let value: String?
      let from: String
      let help: String
      let variable: String
    }

    func validate() throws {
      if format == .ndjson { throw ValidationError("config does not support ndjson; use text or json.") }
    }

    func perform() async throws {
      let values: [ConfigurationLoader.Value]
      do {
        values = try options.loader.values()
      } catch {
        throw CommandFailure(error)
      }
      for remark in values.compactMap(\.remark) { StandardStreams.error("tachogram: warning: \(remark)") }
      let items = values.map { value in
        Item(
          key: value.setting.path, value: shown(value), from: Self.text(value.origin), help: value.setting.help,
          variable: value.setting.variable)
      }
      if format == .json { return StandardStreams.out(try JSONOutput.line(["settings": items])) }
      for item in items {
        StandardStreams.out(
          TerminalText.line("\(item.key): \(item.value ?? "(not set)")   # \(item.from)") + "\n    \(item.help)\n")
      }
    }

    private func shown(_ value: ConfigurationLoader.Value) -> String? {
      value.text.map { HiddenSecrets.text($0, of: value.setting.path) }
    }

    private static func text(_ origin: ConfigurationLoader.Origin) -> String {
      switch origin {
      case .flag: "the command line"
      case .environment(let variable): variable
      case .file(let place): place
      case .page: "the page"
      case .default: "the default"
      }
    }
  }
}
