import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import TachogramCore

/// `sleep stop`: ends a night and estimates its stages.
struct SleepStopCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End a night: the person gets up. Estimates the stages.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session of the night. Default: the only night that lasts.")
  var session: String?

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try CommandFailure.wording {
      try database.change(for: .writing) { database in
        let keeper = NightKeeper(database: database, timeZone: .current)
        let night = try NightText.wording { try keeper.end(session, at: SystemTimeSource().now().wall) }
        guard let staging = night.staging else {
          return StandardStreams.out("the night ended; it was too short for stages\n")
        }
        StandardStreams.out(try SleepText.summary(staging.stages))
        StandardStreams.out("estimated by \(staging.estimator)\n")
      }
    }
  }
}
