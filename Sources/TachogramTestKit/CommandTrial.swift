import Foundation

/// Tries random sequences of commands on something that has a simpler model, and makes a sequence that fails smaller, so
/// that it can be read: pieces are left out, then commands are replaced by simpler ones, as long as it still fails.
package struct CommandTrial<Command: Sendable>: Sendable {
  /// A sequence after which something was not as the model says.
  package struct Failure: CustomStringConvertible, Sendable {
    package let seed: UInt64
    package let commands: [Command]
    package let problem: String

    /// What is wrong, and the commands that lead to it, a line each.
    package var description: String {
      (["seed \(seed): \(problem)"] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// The most sequences that are tried on the way to a small one.
  private static var mostTries: Int { 600 }

  /// The seeds of a test: `count` of them, or as many as the environment variable `TACHOGRAM_SEEDS` says, in groups that
  /// may be tried beside each other.
  package static func seeds(_ count: UInt64, groups: UInt64 = 2) -> [Range<UInt64>] {
    let wanted = ProcessInfo.processInfo.environment["TACHOGRAM_SEEDS"].flatMap(UInt64.init) ?? count
    return (0..<groups).map { wanted * $0 / groups..<wanted * ($0 + 1) / groups }
  }

  private let make: @Sendable (inout SplitMix64) -> Command
  private let simpler: @Sendable (Command) -> [Command]
  private let problem: @Sendable ([Command]) async throws -> String?

  /// `make` gives a random command, `simpler` the commands that may stand in the place of one, and `problem` runs a
  /// sequence from the beginning and says what was wrong; an error is a problem too. The same sequence must give the same
  /// answer.
  package init(
    make: @escaping @Sendable (inout SplitMix64) -> Command,
    simpler: @escaping @Sendable (Command) -> [Command] = { _ in [] },
    problem: @escaping @Sendable ([Command]) async throws -> String?,
  ) {
    self.make = make
    self.simpler = simpler
    self.problem = problem
  }

  /// The first failure of sequences of `length` commands, one a seed, made small; `nil` when all went well.
  package func firstFailure(seeds: some Sequence<UInt64>, length: Int) async -> Failure? {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let commands = (0..<length).map { _ in make(&random) }
      if let found = await run(commands) { return await shrunk(commands, found, seed) }
    }
    return nil
  }

  private func run(_ commands: [Command]) async -> String? {
    do { return try await problem(commands) } catch { return "\(error)" }
  }

  private func shrunk(_ first: [Command], _ problem: String, _ seed: UInt64) async -> Failure {
    var (commands, problem, tries) = (first, problem, 0)
    /// Takes a candidate if it fails.
    func fails(_ candidate: [Command]) async -> Bool {
      tries += 1
      guard tries <= Self.mostTries, let found = await run(candidate) else { return false }
      (commands, problem) = (candidate, found)
      return true
    }
    var isSmaller = true
    while isSmaller, tries < Self.mostTries {
      isSmaller = false
      var size = max(1, commands.count / 2)
      while true {
        var start = 0
        while start < commands.count {
          var candidate = commands
          candidate.removeSubrange(start..<min(commands.count, start + size))
          if await fails(candidate) { isSmaller = true } else { start += size }
        }
        if size == 1 { break }
        size /= 2
      }
      for index in commands.indices {
        for simple in simpler(commands[index]) {
          var candidate = commands
          candidate[index] = simple
          if await fails(candidate) {
            isSmaller = true
            break
          }
        }
      }
    }
    return Failure(seed: seed, commands: commands, problem: problem)
  }
}
