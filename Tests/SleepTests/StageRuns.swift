import Sleep
import TachogramCore
import Testing

/// Stages from texts such as 12 wake, each a run of epochs.
func stageRuns(_ runs: String...) throws -> [SleepStage] { try stageRuns(runs) }

func stageRuns(_ runs: [String]) throws -> [SleepStage] {
  try runs.flatMap { run in
    let parts = run.split(separator: " ")
    let count = try #require(Int(parts[0]))
    return [SleepStage](repeating: try #require(SleepStage(rawValue: String(parts[1]))), count: count)
  }
}
