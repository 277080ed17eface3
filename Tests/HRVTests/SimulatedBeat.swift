import HRV
import TachogramCore

/// A beat as the engine takes it.
struct SimulatedBeat {
  var nn: NNInterval
  var time: MonotonicTime
  var followsGap: Bool
  var isArtifact: Bool
}
