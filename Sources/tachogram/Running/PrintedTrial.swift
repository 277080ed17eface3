import CommandProcess
import Listening
import Presentation
import TachogramCore

/// A trial of a strap that prints its steps.
struct PrintedTrial {
  let trial: StrapTrial

  /// Runs the trial. Throws `CommandFailure`.
  func run(
    readings: Int, timeout: Duration, mayHold: Bool = false, then: () async throws -> Void = {},
  ) async throws -> StrapTrial.Heard {
    do {
      return try await trial.run(
        readings: readings, timeout: timeout, mayHold: mayHold, report: { Self.print($0) }, then: then)
    } catch is CancellationError {
      throw CommandFailure("", code: .interrupted)
    } catch let failure as StrapTrial.Failure {
      throw CommandFailure(failure.description)
    }
  }

  private static func print(_ step: StrapTrial.Step) {
    switch step {
    case .link(let state): StandardStreams.error(LinkWording.text(state))
    case .reading(let measurement):
      let intervals = measurement.rrIntervals.map { "\(Wording.rounded($0.milliseconds)) ms" }
      StandardStreams.out(
        "  \(measurement.heartRate) bpm" + (intervals.isEmpty ? "" : ", RR \(intervals.joined(separator: ", "))") + "\n"
      )
    case .unreadable(let reason): StandardStreams.out("  a reading that cannot be read: \(reason)\n")
    }
  }
}
