import CSleepModels
import TachogramCore

/// The networks of SleepECG 0.6.0, trained on 1971 nights of MESA (© 2021 Florian Hofer and Clemens Brunner, BSD-3-Clause;
/// `Sources/CSleepModels/weights`).
package enum SleepECGModel: String, Hashable, Sendable, CaseIterable {
  case sleepWake = "ws-gru-mesa"
  case wakeNREMREM = "wrn-gru-mesa"
  /// Like `wakeNREMREM`, trained with a loss that weights rare classes more.
  case wakeNREMREMWeighted = "wrn-gru-mesa-weighted"

  /// The origin of the networks, for what is shown with their stages.
  package static let attribution =
    "SleepECG 0.6.0, © 2021 Florian Hofer and Clemens Brunner, BSD-3-Clause, https://github.com/cbrnr/sleepecg; "
    + "trained on 1971 nights of MESA."

  /// The window of the features.
  package var window: SleepECGWindow { self == .sleepWake ? .sleepWake : .wakeNREMREM }

  /// The stages of the outputs, in their order. The first output, which stands for epochs without a score in the training data,
  /// is left out.
  package var classes: [SleepStage] { self == .sleepWake ? [.asleep, .wake] : [.nrem, .rem, .wake] }

  /// The number of outputs.
  var outputCount: Int { classes.count + 1 }

  /// The weights in the order of the file; empty if the program contains none of this name.
  var weights: [Float] {
    for index in 0..<sleep_model_count {
      guard let model = sleep_model_at(index)?.pointee, String(cString: model.name) == rawValue else { continue }
      let bytes = UnsafeRawBufferPointer(start: model.bytes, count: model.count)
      return stride(from: 0, to: bytes.count - 3, by: 4).map { place in
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      }
    }
    return []
  }
}
