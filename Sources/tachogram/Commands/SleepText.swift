import Foundation
import Sleep
import TachogramCore

/// The words of nights in a terminal.
enum SleepText {
  /// Returns lines with the metrics of stages.
  static func summary(_ stages: [SleepStage]) throws -> String {
    let metrics = try SleepMetrics(stages)
    var lines = [
      ("in bed", duration(metrics.timeInBed)), ("asleep", duration(metrics.totalSleepTime)),
      ("to fall asleep", metrics.sleepOnsetLatency.map(duration)),
      ("awake after that", metrics.wakeWithinSleepPeriod.map(duration)),
      ("efficiency", metrics.sleepEfficiency.map { "\(Int($0.rounded())) %" }),
      ("quality", SleepQualityScore.score(metrics).map { "\(Int($0.rounded())) of 100" }),
    ]
    for stage in SleepStage.allCases where metrics.minutes(of: stage) > 0 {
      lines.append((name(stage), duration(metrics.minutes(of: stage))))
    }
    return lines.compactMap { label, value in value.map { line(label, $0) } }.joined()
  }

  static func line(_ label: String, _ value: String) -> String {
    label.padding(toLength: 18, withPad: " ", startingAt: 0) + value + "\n"
  }

  /// Returns minutes in words.
  static func duration(_ minutes: Double) -> String {
    let whole = Int(minutes.rounded())
    return whole < 60 ? "\(whole) min" : "\(whole / 60) h \(whole % 60) min"
  }

  private static func name(_ stage: SleepStage) -> String {
    switch stage {
    case .wake: "awake"
    case .light: "light sleep"
    case .deep: "deep sleep"
    case .rem: "REM sleep"
    case .nrem: "NREM sleep"
    case .asleep: "asleep, stage ?"
    case .unknown: "unknown"
    }
  }
}
