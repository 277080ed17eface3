/// The string literals of Swift source text, those within interpolations too.
struct SourceLiterals {
  struct Literal {
    let line: Int
    /// The text between its interpolations; each stretch of white space is one space.
    let segments: [String]

    /// Whether a statement can have come of it.
    func isPart(of statement: String) -> Bool {
      var rest = statement[...]
      for segment in segments where !segment.isEmpty {
        guard let found = rest.firstRange(of: segment) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }
  }

  private(set) var literals: [Literal] = []
  private let text: [Character]
  private var position = 0
  private var line = 1

  init(_ source: String) {
    text = Array(source)
    while position < text.count { readCode() }
  }

  static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func isNext(_ word: String) -> Bool {
    text[position...].starts(with: word)
  }

  @discardableResult
  private mutating func advance(_ count: Int = 1) -> Character? {
    guard position < text.count else { return nil }
    let first = text[position]
    for _ in 0..<count where position < text.count {
      if text[position].isNewline { line += 1 }
      position += 1
    }
    return first
  }

  private mutating func readCode() {
    if isNext("//") {
      while position < text.count, !text[position].isNewline { advance() }
    } else if isNext("\"") {
      readLiteral()
    } else {
      advance()
    }
  }

  private mutating func readLiteral() {
    let end = isNext("\"\"\"") ? "\"\"\"" : "\""
    let first = line
    advance(end.count)
    var segments = [""]
    while position < text.count, !isNext(end) {
      if isNext("\\(") {
        advance(2)
        readInterpolation()
        segments.append("")
      } else if isNext("\\") {
        advance()
        if let escaped = advance(), !escaped.isNewline { segments[segments.count - 1].append(escaped) }
      } else if let character = advance() {
        segments[segments.count - 1].append(character)
      }
    }
    advance(end.count)
    literals.append(Literal(line: first, segments: segments.map(Self.collapsed)))
  }

  private mutating func readInterpolation() {
    var depth = 1
    while position < text.count, depth > 0 {
      if isNext("\"") {
        readLiteral()
        continue
      }
      switch advance() {
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
    }
  }
}
