/// A key of the configuration with its syntax, validation and help. `SettingKey` adds the type of its value.
package struct Setting: Sendable, Hashable {
  /// The path of the key, as in `http.port`.
  package let path: String
  /// The default in its written form, or `nil` if there is no default.
  package let defaultValue: String?
  package let help: String
  /// The path of the key in version 0.1.0, which is still accepted.
  package let formerPath: String?
  /// The form of its values.
  package let form: SettingForm
  /// Whether it can be changed on the page. Keys that name programs, addresses or files cannot.
  package let isOnPage: Bool
  /// Whether it has several values, separated by commas on the command line and in the environment.
  let isList: Bool

  /// Returns the problem of a written value as the end of a sentence, or `nil` if it is valid.
  let problem: @Sendable (_ text: String) -> String?
  /// Converts a value that was valid under the former path to the nearest valid value.
  let current: @Sendable (_ text: String) -> String

  init(
    path: String, defaultValue: String?, help: String, formerPath: String? = nil, form: SettingForm = .text,
    isOnPage: Bool = false, isList: Bool = false,
    problem: @escaping @Sendable (String) -> String?, current: @escaping @Sendable (String) -> String = { $0 },
  ) {
    self.path = path
    self.defaultValue = defaultValue
    self.help = help
    self.formerPath = formerPath
    self.form = form
    self.isOnPage = isOnPage
    self.isList = isList
    self.problem = problem
    self.current = current
  }

  /// This key, to be changed on the page.
  var onPage: Setting {
    Setting(
      path: path, defaultValue: defaultValue, help: help, formerPath: formerPath, form: form, isOnPage: true,
      isList: isList, problem: problem, current: current)
  }

  package static func == (one: Setting, other: Setting) -> Bool { one.path == other.path }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The paths under which it can be written.
  package var paths: [String] { [path] + (formerPath.map { [$0] } ?? []) }

  /// The name of the environment variable.
  package var variable: String { Self.variable(path) }

  static func variable(_ path: String) -> String {
    "TACHOGRAM_"
      + path.map { character in
        character == "." ? "_" : character.isUppercase ? "_\(character)" : character.uppercased()
      }.joined()
  }

  /// The paths of all keys, including former ones.
  package static var paths: Set<String> { Set(all.flatMap(\.paths)) }
}
