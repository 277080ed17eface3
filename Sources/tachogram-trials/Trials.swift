import ArgumentParser

/// The trials of the radio source and the recorder against the fake daemon, which take longer than the test suite may.
@main
struct Trials: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tachogram-trials",
    abstract: "The live way under load and faults: fake daemon, radio source, recorder, database.",
    subcommands: [DeliveryTrial.self, FaultTrial.self, CrowdTrial.self, SoakTrial.self])
}
