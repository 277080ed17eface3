import FoundationEssentials
import Glibc

/// Loads the configuration. Flags take precedence over environment variables, the file, the settings of the page and the file of
/// `tachogram open` beside the database, and the defaults, in this order.
package struct ConfigurationLoader {
  /// The origin of a value.
  package enum Origin: Hashable, Sendable {
    case flag
    case environment(String)
    case file(String)
    /// Settings of the page that are not stored yet.
    case page
    case `default`
  }

  /// A key with its effective value.
  package struct Value: Hashable, Sendable {
    package let setting: Setting
    /// The value, or `nil` if none is set; the entries of a list are separated by commas.
    package let text: String?
    package let origin: Origin
    /// The path under which it was written.
    package let path: String
    /// A description of a value that is interpreted differently than written, or `nil`.
    package fileprivate(set) var remark: String?

    init(_ setting: Setting, _ text: String?, _ origin: Origin, path: String? = nil, remark: String? = nil) {
      self.setting = setting
      self.text = text
      self.origin = origin
      self.path = path ?? setting.path
      self.remark = remark
    }
  }

  /// The problems of a configuration, one line each, with the path of the key and its location.
  package struct Problems: Error, Hashable, Sendable, CustomStringConvertible {
    package let lines: [String]

    package var description: String { lines.joined(separator: "\n") }
  }

  private let file: String?
  private let flags: [String: String]
  private let environment: [String: String]
  private let defaultDatabase: String?
  /// The values that take the place of the file of the page's settings, by path; `nil` for those of the file.
  private var pageSettings: [String: String]?
  /// The files beside the database that are not read.
  private var ignored: Set<String> = []

  /// Creates a loader. `flags` are values by path. `file` is the requested file; without one, the first that exists in the
  /// usual places is used. `defaultDatabase` is the path of the database if no source has one.
  package init(
    file: String?, flags: [String: String] = [:], environment: [String: String], defaultDatabase: String? = nil
  ) {
    self.file = file
    self.flags = flags
    self.environment = environment
    self.defaultDatabase = defaultDatabase
  }

  /// The path of the file, or `nil` if there is no file.
  package var path: String? {
    if let file { return file }
    if let named = environment["TACHOGRAM_CONFIG"], !named.isEmpty { return named }
    var folders = ["/etc"]
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      folders.insert(folder, at: 0)
    } else if let home = environment["HOME"], !home.isEmpty {
      folders.insert("\(home)/.config", at: 0)
    }
    return folders.map { "\($0)/tachogram/config.yaml" }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The values of one origin by path; the entries of a list are separated by commas.
  private struct Source {
    let origin: (_ path: String) -> Origin
    let text: (_ path: String) -> String?
  }

  /// Returns all keys with their effective values. Throws `Problems` with all problems.
  package func values() throws(Problems) -> [Value] {
    var problems: [String] = []
    let lists = Set(Setting.all.filter(\.isList).flatMap(\.paths))
    var sources = [
      Source(origin: { _ in .flag }) { path in
        flags[path].map { lists.contains(path) ? Self.list($0, omittingEmpty: true) : $0 }
      },
      Source(origin: { .environment(Setting.variable($0)) }) { path in
        environment[Setting.variable(path)].map { lists.contains(path) ? Self.list($0) : $0 }
      },
    ]
    if let path {
      do throws(Problems) {
        let entries = try ConfigurationFile(path: path).entries()
        problems += (ConfigurationFile.unknownKeys(entries) + ConfigurationFile.wrongLists(entries)).map {
          "\(path):\($0)"
        }
        sources.append(Self.source(entries, of: path, lists))
      } catch {
        problems += error.lines
      }
    }
    if let pageSettings {
      sources.append(
        Source(origin: { _ in .page }) { path in
          pageSettings[path].map { lists.contains(path) ? Self.list($0) : $0 }
        })
    }
    for (path, keys) in stateFiles(sources) where FileManager.default.fileExists(atPath: path) {
      do throws(Problems) {
        let entries = try ConfigurationFile(path: path).entriesOfState()
        problems += entries.filter { !keys.contains($0.path) }.map {
          "\(path):\($0.line): \($0.path) does not belong into this file; set it in the configuration file."
        }
        sources.append(Self.source(entries, of: path, lists))
      } catch {
        problems += error.lines
      }
    }
    var values: [Value] = []
    for setting in Setting.all {
      let found = sources.lazy.compactMap { source in
        setting.paths.lazy.compactMap { path in
          source.text(path).map { Self.value(setting, $0, path, source.origin(path)) }
        }.first
      }.first
      var value = found ?? Value(setting, setting.defaultValue, .default)
      if let former = setting.formerPath, value.path == setting.path,
        let unused = sources.lazy.compactMap({ source in
          source.text(former).map { Value(setting, $0, source.origin(former), path: former) }
        }).first
      {
        value.remark = "\(Self.place(unused)) is not used, since \(Self.place(value)) is given."
      }
      if let text = value.text, let problem = setting.problem(text) {
        problems.append("\(Self.place(value)) \(problem).")
      }
      values.append(value)
    }
    guard problems.isEmpty else { throw Problems(lines: problems) }
    return values
  }

  private static func source(_ entries: [ConfigurationFile.Entry], of path: String, _ lists: Set<String>) -> Source {
    let byPath = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
    return Source(origin: { .file("\(path):\(byPath[$0]?.line ?? 0)") }) { key in
      byPath[key]?.text.map { lists.contains(key) ? list($0) : $0 }
    }
  }

  /// Returns the files beside the database that programs write, with the keys that they may contain.
  private func stateFiles(_ sources: [Source]) -> [(path: String, keys: Set<String>)] {
    let key = SettingKeys.database.setting.path
    guard let database = sources.lazy.compactMap({ $0.text(key) }).first ?? defaultDatabase else { return [] }
    let settings = [(SettingsFile(database: database).path, SettingsFile.keys)]
    let files: [(path: String, keys: Set<String>)] =
      (pageSettings == nil ? settings : []) + [(OpenFile(database: database).path, OpenFile.keys)]
    return files.filter { !ignored.contains($0.path) }
  }

  /// Renames the files beside the database that keep the configuration from being loaded, as after a damage of the disk, so that
  /// a station starts without them. Returns a sentence for each. Other problems remain.
  package func setAsideDamagedFiles() -> [String] {
    guard (try? load()) == nil, let database = databasePath else { return [] }
    let files = [SettingsFile(database: database).path, OpenFile(database: database).path]
    for some in [[files[0]], [files[1]], files] {
      var other = self
      other.ignored = Set(some)
      guard (try? other.load()) != nil else { continue }
      return some.compactMap { path in
        // A file that another user owns is not damaged.
        guard access(path, R_OK) == 0 else { return nil }
        let aside = path + ".damaged"
        guard rename(path, aside) == 0 else { return nil }
        return "\(path) is damaged and not used; it is \(aside) now."
      }
    }
    return []
  }

  /// The path of the database that flags, the environment or the configuration file name, or the usual one.
  private var databasePath: String? {
    var bare = self
    bare.pageSettings = [:]
    guard let usual = defaultDatabase ?? flags[SettingKeys.database.setting.path] else { return nil }
    let settings = [SettingsFile(database: usual).path, OpenFile(database: usual).path]
    bare.ignored = Set(settings)
    return (try? bare.values())?.first { $0.setting == SettingKeys.database.setting }?.text ?? usual
  }

  /// Returns a loader with other settings of the page, by path, than those that are stored.
  func with(pageSettings: [String: String]) -> ConfigurationLoader {
    var loader = self
    loader.pageSettings = pageSettings
    return loader
  }

  /// Returns the configuration. Throws `Problems`.
  package func load() throws(Problems) -> StationConfiguration {
    try StationConfiguration(ConfigurationValues(try values()))
  }

  /// Returns the value, converted if it is written under a former path.
  private static func value(_ setting: Setting, _ text: String, _ path: String, _ origin: Origin) -> Value {
    guard path != setting.path else { return Value(setting, text, origin) }
    let current = setting.current(text)
    let written = Value(setting, text, origin, path: path)
    var remark = "\(place(written)) is called \(setting.path) now"
    if current != text { remark += ", and \(text) is taken for \(current)" }
    return Value(setting, current, origin, path: path, remark: remark + ".")
  }

  /// Returns a list without the spaces around its entries.
  private static func list(_ text: String, omittingEmpty: Bool = false) -> String {
    text.split(separator: ",", omittingEmptySubsequences: omittingEmpty).map { entry in
      String(entry.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.joined(separator: ",")
  }

  /// Returns the location of a value and its path.
  package static func place(_ value: Value) -> String {
    switch value.origin {
    case .flag, .page, .default: value.path
    case .environment(let variable): "\(variable) (\(value.path))"
    case .file(let place): "\(place): \(value.path)"
    }
  }
}
