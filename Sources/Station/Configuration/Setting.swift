/// One key of the configuration: how it is written, checked and explained. `SettingKey` gives it the type of its value.
package struct Setting: Sendable, Hashable {
  /// The path of the key, as in `http.port`.
  package let path: String
  /// The default as it would be written; `nil` where nothing is the default.
  package let defaultValue: String?
  package let help: String
  /// The path that version 0.1.0 had for it; it still works.
  package let formerPath: String?
  /// Whether it has several values, with commas between on the command line and in the environment.
  let isList: Bool

  /// What is wrong with a written value, as the rest of a sentence; `nil` when nothing is.
  let problem: @Sendable (_ text: String) -> String?
  /// The nearest right value of one that was right by the former path.
  let current: @Sendable (_ text: String) -> String

  init(
    path: String, defaultValue: String?, help: String, formerPath: String? = nil, isList: Bool = false,
    problem: @escaping @Sendable (String) -> String?, current: @escaping @Sendable (String) -> String = { $0 },
  ) {
    self.path = path
    self.defaultValue = defaultValue
    self.help = help
    self.formerPath = formerPath
    self.isList = isList
    self.problem = problem
    self.current = current
  }

  package static func == (one: Setting, other: Setting) -> Bool { one.path == other.path }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The paths by which it can be written.
  package var paths: [String] { [path] + (formerPath.map { [$0] } ?? []) }

  /// The name of the environment variable.
  package var variable: String { Self.variable(path) }

  static func variable(_ path: String) -> String {
    "TACHOGRAM_"
      + path.map { character in
        character == "." ? "_" : character.isUppercase ? "_\(character)" : character.uppercased()
      }.joined()
  }

  /// All paths by which a key can be written.
  package static var paths: Set<String> { Set(all.flatMap(\.paths)) }
}
