import Foundation

/// A test of random sequences of commands against a simpler model. A failing sequence is shrunk to be readable: pieces are
/// removed, then commands are replaced by simpler ones, as long as it still fails.
package struct CommandTrial<Command: Sendable>: Sendable {
  /// A sequence whose outcome differs from the model.
  package struct Failure: CustomStringConvertible, Sendable {
    package let seed: UInt64
    package let commands: [Command]
    package let problem: String

    /// The problem and the commands that lead to it, one on each line.
    package var description: String {
      (["seed \(seed): \(problem)"] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// The maximum number of sequences tried while shrinking.
  private static var mostTries: Int { 600 }

  /// Returns the seeds of a test: `count` of them, or the number in the environment variable `TACHOGRAM_SEEDS`, in groups that
  /// may run concurrently.
  package static func seeds(_ count: UInt64, groups: UInt64 = 2) -> [Range<UInt64>] {
    let wanted = ProcessInfo.processInfo.environment["TACHOGRAM_SEEDS"].flatMap(UInt64.init) ?? count
    return (0..<groups).map { wanted * $0 / groups..<wanted * ($0 + 1) / groups }
  }

  private let make: @Sendable (inout SplitMix64) -> Command
  private let simpler: @Sendable (Command) -> [Command]
  private let problem: @Sendable ([Command]) async throws -> String?

  /// Creates a trial. `make` returns a random command, `simpler` the commands that may replace a command, and `problem` runs a
  /// sequence from the beginning and describes the problem, if any; a thrown error is a problem too. The same sequence must
  /// produce the same answer.
  package init(
    make: @escaping @Sendable (inout SplitMix64) -> Command,
    simpler: @escaping @Sendable (Command) -> [Command] = { _ in [] },
    problem: @escaping @Sendable ([Command]) async throws -> String?,
  ) {
    self.make = make
    self.simpler = simpler
    self.problem = problem
  }

  /// Returns the first failure of sequences of `length` commands, one for each seed, after shrinking it, or `nil` if all
  /// succeed.
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
    /// Adopts a candidate if it fails.
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
