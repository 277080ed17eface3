import FoundationEssentials

/// A key of the configuration with the type of its value.
struct SettingKey<Value: Sendable>: Sendable {
  let setting: Setting
  let defaultValue: Value
  /// Parses a written value, or returns `nil` for one that `setting.problem` rejects.
  let parse: @Sendable (String) -> Value?

  /// Creates a key. `parse` reads a written value, and `problem` describes one that it refuses.
  private init(
    _ path: String, default value: Value, written: String?, help: String, formerPath: String? = nil,
    form: SettingForm = .text, isList: Bool = false, parse: @escaping @Sendable (String) -> Value?,
    problem: @escaping @Sendable (String) -> String, current: @escaping @Sendable (String) -> String = { $0 },
  ) {
    defaultValue = value
    self.parse = parse
    setting = Setting(
      path: path, defaultValue: written, help: help, formerPath: formerPath, form: form, isList: isList,
      problem: { parse($0) == nil ? problem($0) : nil }, current: current)
  }

  private init(setting: Setting, default value: Value, parse: @escaping @Sendable (String) -> Value?) {
    self.setting = setting
    defaultValue = value
    self.parse = parse
  }

  /// This key, to be changed on the page.
  var onPage: SettingKey { SettingKey(setting: setting.onPage, default: defaultValue, parse: parse) }

  private static func expected(_ words: String) -> @Sendable (String) -> String {
    { text in "is \"\(text)\"; it is \(words)" }
  }

  /// A key without a default. `read` parses its value, or returns `nil` for an invalid one, and `words` complete "it is …". The
  /// description of an invalid value that `isSecret` does not repeat it.
  static func read<Read: Sendable>(
    _ path: String, _ words: String, isSecret: Bool = false, help: String,
    _ read: @escaping @Sendable (String) -> Read?
  ) -> SettingKey where Value == Read? {
    let secret: @Sendable (String) -> String = { _ in "has a value that is not \(words)" }
    return SettingKey(
      path, default: nil, written: nil, help: help, parse: { text in read(text).map(Optional.some) },
      problem: isSecret ? secret : expected(words))
  }
}

/// The interpretation of a written text, and the description of an empty one.
private enum SettingText {
  @Sendable static func read(_ text: String) -> String? { text.isEmpty ? nil : text }

  @Sendable static func problem(_ text: String) -> String { "is empty; leave the key out for the default" }
}

extension SettingKey where Value == String {
  static func text(_ path: String, default value: String, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: value, help: help, parse: SettingText.read, problem: SettingText.problem)
  }

  static func choice(_ path: String, _ choices: [String], default value: String, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: value, help: help, form: .choice(choices),
      parse: { choices.contains($0) ? $0 : nil },
      problem: expected("one of \(choices.joined(separator: ", "))"))
  }
}

extension SettingKey where Value == String? {
  static func text(_ path: String, help: String) -> SettingKey {
    SettingKey(
      path, default: nil, written: nil, help: help, parse: { SettingText.read($0).map(Optional.some) },
      problem: SettingText.problem)
  }

  /// An `http` or `https` URL.
  static func webAddress(_ path: String, help: String) -> SettingKey {
    read(path, "an address like https://example.org/alerts", isSecret: true, help: help) { text in
      guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
        url.host()?.isEmpty == false
      else { return nil }
      return text
    }
  }
}

extension SettingKey where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  static func choice(_ path: String, default value: Value, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: value.rawValue, help: help, form: .choice(Value.allCases.map(\.rawValue)),
      parse: { Value(rawValue: $0) },
      problem: expected("one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))"))
  }
}

extension SettingKey where Value == [String] {
  /// Values separated by commas.
  static func list(_ path: String, help: String) -> SettingKey {
    SettingKey(
      path, default: [], written: nil, help: help, isList: true,
      parse: { text in
        guard !text.isEmpty else { return [] }
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        return entries.contains("") ? nil : entries.map(String.init)
      }, problem: { _ in "has an empty entry" })
  }
}

extension SettingKey where Value == [String] {
  /// Origins of web pages (RFC 6454), separated by commas: `http` or `https`, a host, and a port if it is not that of the scheme.
  static func origins(_ path: String, help: String) -> SettingKey {
    SettingKey(
      path, default: [], written: nil, help: help, isList: true,
      parse: { text in
        guard !text.isEmpty else { return [] }
        let entries = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return entries.allSatisfy { SettingOrigin.isValid($0) } ? entries : nil
      }, problem: { _ in "has an entry that is no origin like https://ha.example:8123" })
  }
}

private enum SettingOrigin {
  static func isValid(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
    var host = text.dropFirst(scheme.count)
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      guard let port = Int(host[host.index(after: colon)...]), (1...65_535).contains(port),
        "\(port)" == host[host.index(after: colon)...]
      else { return false }
      host = host[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      let address = host.dropFirst().dropLast()
      return address.contains(":") && address.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":") }
    }
    return !host.isEmpty && host.utf8.allSatisfy(isHostByte)
  }

  /// Whether a byte belongs to a host name: letters, digits, dots and hyphens. Others could end the policy of an answer.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
  }
}

extension SettingKey where Value == Int {
  static func integer(_ path: String, _ range: ClosedRange<Int>, default value: Int, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: String(value), help: help, form: .integer(range),
      parse: { SettingInteger.read($0, range) },
      problem: expected(SettingInteger.words(range)))
  }
}

extension SettingKey where Value == Int? {
  /// A number that nobody else is to know.
  static func secretInteger(_ path: String, _ range: ClosedRange<Int>, help: String) -> SettingKey {
    read(path, SettingInteger.words(range), isSecret: true, help: help) { SettingInteger.read($0, range) }
  }
}

private enum SettingInteger {
  static func read(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  static func words(_ range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}

extension SettingKey where Value == Bool {
  static func flag(_ path: String, default value: Bool, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: String(value), help: help, form: .flag, parse: { Bool($0) },
      problem: expected("true or false"))
  }
}

extension SettingKey where Value == TimeSpan {
  /// A length of time such as 90s, 30m, 8h or 365d.
  static func span(_ path: String, default value: TimeSpan, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: value.text, help: help, form: .span(allowsForever: false),
      parse: { TimeSpan(text: $0) },
      problem: expected("a length of time like 90s, 30m, 8h or 30d"))
  }

  /// A length of time within limits in seconds.
  static func span(
    _ path: String, _ range: ClosedRange<Int64>, default value: TimeSpan, formerPath: String, help: String,
  ) -> SettingKey {
    let (least, most) = (TimeSpan(seconds: range.lowerBound), TimeSpan(seconds: range.upperBound))
    return SettingKey(
      path, default: value, written: value.text, help: help, formerPath: formerPath,
      form: .span(allowsForever: false),
      parse: { text in TimeSpan(text: text).flatMap { range.contains($0.seconds) ? $0 : nil } },
      problem: expected("a length of time from \(least.text) to \(most.text)"),
      current: { text in
        guard let span = TimeSpan(text: text), !range.contains(span.seconds) else { return text }
        return TimeSpan(seconds: min(max(span.seconds, range.lowerBound), range.upperBound)).text
      })
  }
}

extension SettingKey where Value == TimeSpan? {
  private static var forever: String { "forever" }

  /// A length of time, or `forever`, which is `nil`.
  static func spanOrForever(_ path: String, default value: TimeSpan? = nil, help: String) -> SettingKey {
    SettingKey(
      path, default: value, written: value?.text ?? forever, help: help, form: .span(allowsForever: true),
      parse: { $0 == forever ? .some(nil) : TimeSpan(text: $0).map(Optional.some) },
      problem: expected("a length of time like 30d, or forever"))
  }
}
