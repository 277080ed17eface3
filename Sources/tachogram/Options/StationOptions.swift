import ArgumentParser
import CommandProcess
import Foundation
import Station

extension CommandFailure {
  init(_ problems: ConfigurationLoader.Problems) {
    self.init(
      "the configuration is wrong:", details: problems.lines.flatMap { $0.split(separator: "\n").map(String.init) },
      code: .badUsage)
  }
}

/// The options that take precedence over the environment and the configuration file.
struct StationOptions: ParsableArguments {
  @Option(
    help: "The configuration file. Default: tachogram/config.yaml in the user's configuration folder or in /etc.",
    completion: .file())
  var config: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Another value for a key of the configuration, as in http.port=9000.", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: "The same as --set http.host=…")
  var host: String?

  @Option(help: "The same as --set http.port=…")
  var port: Int?

  @OptionGroup var store: DatabaseOption

  func validate() throws {
    for setting in settings {
      let path = setting.prefix { $0 != "=" }
      guard setting.contains("=") else { throw ValidationError("--set requires key=value, such as http.port=9000.") }
      guard Setting.paths.contains(String(path)) else {
        throw ValidationError("unknown key \(path); `tachogram config show` lists all keys.")
      }
    }
  }

  var loader: ConfigurationLoader { loader(defaultDatabase: try? store.path()) }

  /// The loader of a station whose database is `defaultDatabase`, if the configuration names no other.
  func loader(defaultDatabase: String?) -> ConfigurationLoader {
    var flags: [String: String] = [:]
    for setting in settings {
      let path = String(setting.prefix { $0 != "=" })
      flags[path] = String(setting.dropFirst(path.count + 1))
    }
    if let host { flags["http.host"] = host }
    if let port { flags["http.port"] = String(port) }
    if let database = store.database { flags["database"] = database }
    return ConfigurationLoader(
      file: config, flags: flags, environment: ProcessInfo.processInfo.environment,
      defaultDatabase: defaultDatabase)
  }

  /// Returns the configuration. Throws its problems.
  func load() throws -> StationConfiguration {
    do {
      return try loader.load()
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Returns the database of a configuration.
  func database(_ configuration: StationConfiguration) throws -> String {
    try configuration.database ?? store.path()
  }
}
