import Dashboard
import FileSystem
import FoundationEssentials
import TachogramCore

/// The settings that can be changed on the page. Keys that are set by a flag, the environment or the configuration file are shown
/// with their place, and cannot be changed.
struct StationSettings: Sendable {
  private let loader: ConfigurationLoader
  private let file: SettingsFile

  init(loader: ConfigurationLoader, database: String) {
    self.loader = loader
    file = SettingsFile(database: database)
  }

  /// Returns the paths of the keys that are set anywhere.
  func setKeys() throws -> [String] { try loader.values().filter { $0.origin != .default }.map(\.setting.path) }

  func list() throws -> [API.Setting] {
    try loadedValues().filter(\.setting.isOnPage).map(setting)
  }

  /// Stores changes by path; `nil` restores the value that applies otherwise. Throws `DashboardError` for invalid changes, which
  /// change nothing.
  func change(_ changes: [String: String?]) throws {
    let lock = FolderLock(of: file.path)
    defer { withExtendedLifetime(lock) {} }
    let values = Dictionary(uniqueKeysWithValues: try loadedValues().map { ($0.setting.path, $0) })
    var stored = Dictionary(
      uniqueKeysWithValues: values.values.filter(isOfPage).compactMap { value in
        value.text.map { (value.setting.path, $0) }
      })
    for (path, text) in changes {
      guard let value = values[path], value.setting.isOnPage else {
        throw DashboardError(.badRequest, "\(path.prefix(60)) cannot be changed on the page.")
      }
      guard isChangeable(value) else {
        throw DashboardError(
          .conflict, "\(ConfigurationLoader.place(value)) is set there, and can be changed there only.")
      }
      if let text, let problem = value.setting.problem(text) {
        throw DashboardError(.badRequest, "\(path) \(problem).")
      }
      stored[path] = text
    }
    do {
      _ = try loader.with(pageSettings: stored).load()
    } catch {
      throw DashboardError(.badRequest, error.description)
    }
    let isPlain = changes.values.allSatisfy { text in
      !(text ?? "").unicodeScalars.contains { ChosenName.isDangerous($0) || $0 == "\u{FEFF}" }
    }
    guard isPlain, try file.canStore(stored) else {
      throw DashboardError(.badRequest, "a value has a character that cannot be stored; leave it out.")
    }
    do {
      try file.write(stored)
    } catch {
      throw DashboardError(.conflict, "the settings cannot be stored: \(error).")
    }
  }

  private func loadedValues() throws -> [ConfigurationLoader.Value] {
    do {
      return try loader.values()
    } catch {
      throw DashboardError(
        .conflict, "the configuration has problems, which must be solved first: \(error.description)")
    }
  }

  private func setting(_ value: ConfigurationLoader.Value) -> API.Setting {
    let form: (kind: String, choices: [String]?, range: ClosedRange<Int>?) =
      switch value.setting.form {
      case .text: ("text", nil, nil)
      case .choice(let choices): ("choice", choices, nil)
      case .integer(let range): ("integer", nil, range)
      case .span(let allowsForever): ("span", allowsForever ? ["forever"] : nil, nil)
      case .flag: ("choice", ["true", "false"], nil)
      }
    return API.Setting(
      key: value.setting.path, help: value.setting.help, value: value.text, defaultValue: value.setting.defaultValue,
      kind: form.kind, choices: form.choices, minimum: form.range?.lowerBound, maximum: form.range?.upperBound,
      isChanged: isOfPage(value), place: isChangeable(value) ? nil : ConfigurationLoader.place(value))
  }

  private func isOfPage(_ value: ConfigurationLoader.Value) -> Bool {
    if case .file(let place) = value.origin { place.hasPrefix(file.path + ":") } else { false }
  }

  private func isChangeable(_ value: ConfigurationLoader.Value) -> Bool {
    value.origin == .default || isOfPage(value)
  }
}
