import DBus

/// Signals of the daemon as short lines: `added PATH INTERFACES`, `removed PATH INTERFACES`, `PATH NAME=VALUE …`.
enum FakeSignalText {
  static func text(_ signal: DBusSignal) throws -> String {
    switch signal.member {
    case "InterfacesAdded":
      let arguments = try signal.arguments.exactly(2)
      let names = try arguments[1].asDictionary().keys.map { try $0.asString() }
      return "added \(try arguments[0].asPath()) \(visible(names))"
    case "InterfacesRemoved":
      let arguments = try signal.arguments.exactly(2)
      return "removed \(try arguments[0].asPath()) \(visible(try arguments[1].asStrings()))"
    default:
      let arguments = try signal.arguments.exactly(3)
      let changes = try arguments[1].asProperties().map { "\($0)=\(text($1))" }
      return "\(signal.path) \((changes + (try arguments[2].asStrings())).sorted().joined(separator: " "))"
    }
  }

  private static func visible(_ interfaces: [String]) -> String {
    interfaces.filter { !$0.hasPrefix("org.freedesktop") }.sorted().joined(separator: " ")
  }

  private static func text(_ value: DBusValue) -> String {
    if case .bool(let value) = value { "\(value)" } else { "\(value)" }
  }
}
