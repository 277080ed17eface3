import FoundationEssentials

/// Reads the configuration: flags over the environment over the file over the defaults.
package struct ConfigurationLoader {
  /// Where a value comes from.
  package enum Origin: Hashable, Sendable {
    case flag
    case environment(String)
    case file(String)
    case `default`
  }

  /// A key with what holds for it.
  package struct Value: Hashable, Sendable {
    package let setting: Setting
    /// `nil` where nothing is set; the entries of a list with commas between.
    package let text: String?
    package let origin: Origin
    /// The path that it is written by.
    package let path: String
    /// What is read otherwise than it is written; `nil` where nothing is.
    package fileprivate(set) var remark: String?

    init(_ setting: Setting, _ text: String?, _ origin: Origin, path: String? = nil, remark: String? = nil) {
      self.setting = setting
      self.text = text
      self.origin = origin
      self.path = path ?? setting.path
      self.remark = remark
    }
  }

  /// What is wrong, a line each, with the path of the key and where it is written.
  package struct Problems: Error, Hashable, Sendable, CustomStringConvertible {
    package let lines: [String]

    package var description: String { lines.joined(separator: "\n") }
  }

  private let file: String?
  private let flags: [String: String]
  private let environment: [String: String]

  /// `flags` are values by path. `file` is the file that was asked for; else the first of the usual places that has one is
  /// taken.
  package init(file: String?, flags: [String: String] = [:], environment: [String: String]) {
    self.file = file
    self.flags = flags
    self.environment = environment
  }

  /// The file that is read; `nil` where there is none.
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

  /// What one place sets: values by path, the entries of a list with commas between.
  private struct Source {
    let origin: (_ path: String) -> Origin
    let text: (_ path: String) -> String?
  }

  /// All keys with what holds for them. Throws `Problems`, all of them at once.
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
        let byPath = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
        sources.append(
          Source(origin: { .file("\(path):\(byPath[$0]?.line ?? 0)") }) { key in
            byPath[key]?.text.map { lists.contains(key) ? Self.list($0) : $0 }
          })
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

  /// The configuration. Throws `Problems`.
  package func load() throws(Problems) -> StationConfiguration {
    try StationConfiguration(ConfigurationValues(try values()))
  }

  /// A value as it holds now, where it is written by a former path.
  private static func value(_ setting: Setting, _ text: String, _ path: String, _ origin: Origin) -> Value {
    guard path != setting.path else { return Value(setting, text, origin) }
    let current = setting.current(text)
    let written = Value(setting, text, origin, path: path)
    var remark = "\(place(written)) is called \(setting.path) now"
    if current != text { remark += ", and \(text) is taken for \(current)" }
    return Value(setting, current, origin, path: path, remark: remark + ".")
  }

  /// A list without the spaces around its entries.
  private static func list(_ text: String, omittingEmpty: Bool = false) -> String {
    text.split(separator: ",", omittingEmptySubsequences: omittingEmpty).map { entry in
      String(entry.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.joined(separator: ",")
  }

  /// Where a value was written, and its path.
  package static func place(_ value: Value) -> String {
    switch value.origin {
    case .flag, .default: value.path
    case .environment(let variable): "\(variable) (\(value.path))"
    case .file(let place): "\(place): \(value.path)"
    }
  }
}
