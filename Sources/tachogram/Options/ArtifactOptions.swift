import ArgumentParser
import Pipeline
import TachogramCore

/// How artifacts are found, and how many are too many.
struct ArtifactOptions: ParsableArguments {
  @Option(help: "How artifacts are found.")
  var artifacts = ArtifactMethod.segments

  @Flag(help: "Also say which intervals, from 0, are artifacts; with --format json or ndjson.")
  var listArtifacts = false

  @Option(
    help: "The share of artifacts, in percent, beyond which the spectrum, breathing and DFA are not given.",
    transform: Self.percent)
  var maxArtifactsOfOrder = ArtifactLimits().ofOrder

  @Option(help: "The share of artifacts, in percent, beyond which no metric is given.", transform: Self.percent)
  var maxArtifacts = ArtifactLimits().other

  /// How a series is analysed with these, its segments with all their metrics.
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
      throw ValidationError("'\(text)' is no share in percent, 0 to 100.")
    }
    return value / 100
  }
}

extension ArtifactMethod: ExpressibleByArgument {}
