/// The object tree, built from signals and replies. Replies and signals are handled on different threads, so a reply may be
/// applied after signals that followed it on the bus. Changes signalled while a question is open are therefore applied again
/// after its reply.
struct FollowedTree: Sendable {
  private(set) var tree = BlueZObjectTree()
  /// The changes signalled since each open question was asked, by the number of the question.
  private var questions: [Int: [BlueZMessage.Change]] = [:]
  private var nextQuestion = 0

  mutating func apply(_ change: BlueZMessage.Change) {
    tree.apply(change)
    for question in questions.keys { questions[question]?.append(change) }
  }

  /// Opens a question and returns its number. Must be called before the request is sent. The question is closed by `answered`
  /// or `dismiss`.
  mutating func ask() -> Int {
    nextQuestion += 1
    questions[nextQuestion] = []
    return nextQuestion
  }

  /// Applies a reply with `body`, and again the changes signalled since its question. Changes from before the reply are already
  /// part of it; applying them again leads to the same state, because the last change of each property agrees with the reply.
  mutating func answered(_ question: Int, _ body: (inout BlueZObjectTree) -> Void) {
    guard let changes = questions.removeValue(forKey: question) else { return }
    body(&tree)
    for change in changes { tree.apply(change) }
  }

  /// Closes a question that has no reply.
  mutating func dismiss(_ question: Int) {
    questions[question] = nil
  }

  /// Removes the signal strength of a device.
  mutating func forgetSignal(of device: String) { tree.forgetSignal(of: device) }

  /// Removes the signal strengths of all devices of an adapter.
  mutating func forgetSignals(of adapter: String) { tree.forgetSignals(of: adapter) }
}
