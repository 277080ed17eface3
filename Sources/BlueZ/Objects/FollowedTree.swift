/// The object tree as signals and answers make it. An answer may be taken later than signals that followed it on the bus:
/// answers and signals come on different threads. What is signalled while a question is open is therefore taken once more
/// behind its answer.
struct FollowedTree: Sendable {
  private(set) var tree = BlueZObjectTree()
  /// What was signalled since a question was asked, by the question.
  private var questions: [Int: [BlueZMessage.Change]] = [:]
  private var nextQuestion = 0

  mutating func apply(_ change: BlueZMessage.Change) {
    tree.apply(change)
    for question in questions.keys { questions[question]?.append(change) }
  }

  /// Opens a question, to be asked behind this call. It is closed by `answered` or `dismiss`.
  mutating func ask() -> Int {
    nextQuestion += 1
    questions[nextQuestion] = []
    return nextQuestion
  }

  /// Takes an answer, and again what was signalled since its question. What came before the answer is in it already;
  /// taken once more it ends in the same state, since the last of each says what the answer says.
  mutating func answered(_ question: Int, _ body: (inout BlueZObjectTree) -> Void) {
    guard let changes = questions.removeValue(forKey: question) else { return }
    body(&tree)
    for change in changes { tree.apply(change) }
  }

  /// Closes a question that has no answer.
  mutating func dismiss(_ question: Int) {
    questions[question] = nil
  }

  /// Forgets how strong a device was heard.
  mutating func forgetSignal(of device: String) { tree.forgetSignal(of: device) }

  /// The same for all devices of an adapter.
  mutating func forgetSignals(of adapter: String) { tree.forgetSignals(of: adapter) }
}
