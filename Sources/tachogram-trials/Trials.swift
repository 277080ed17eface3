import ArgumentParser

/// Drives the radio source and the recorder against the fake daemon, for longer than a test suite may take.
@main
struct Trials: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram-trials",
    abstract: "The live way under load and faults: fake daemon, radio source, recorder, database.",
    subcommands: [DeliveryTrial.self, FaultTrial.self, CrowdTrial.self, SoakTrial.self])
}
