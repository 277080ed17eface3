import ArgumentParser
import Pipeline
import TachogramCore

/// The options for the detection and limits of artifacts.
struct ArtifactOptions: ParsableArguments {
  @Option(help: "The method that finds artifacts.")
  var artifacts = ArtifactMethod.segments

  @Flag(help: "With --format json or ndjson: list the artifacts by the index of their interval, from 0.")
  var listArtifacts = false

  @Option(
    help: "The percentage of artifacts above which spectrum, breathing rate and DFA are not reported.",
    transform: Self.percent)
  var maxArtifactsOfOrder = ArtifactLimits().ofOrder

  @Option(help: "The percentage of artifacts above which no metric is reported.", transform: Self.percent)
  var maxArtifacts = ArtifactLimits().other

  /// The options for analysing a series, its segments with all their metrics.
  var analysis: AnalysisOptions {
    var options = AnalysisOptions()
    options.artifacts = artifacts
    options.listsArtifacts = listArtifacts
    options.keepsSegments = true
    options.limits.ofOrder = maxArtifactsOfOrder
    options.limits.other = maxArtifacts
    return options
  }

  private static func percent(_ text: String) throws -> Double {
    guard let value = Double(text), (0...100).contains(value) else {
      throw ValidationError("'\(text)' is not a percentage from 0 to 100.")
    }
    return value / 100
  }
}

extension ArtifactMethod: ExpressibleByArgument {}
