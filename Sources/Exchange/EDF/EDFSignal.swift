/// A signal of an EDF+ file: 16-bit samples, and their scale.
struct EDFSignal {
  /// The label of the signal with annotations.
  static let annotationLabel = "EDF Annotations"

  let label: String
  var transducer = ""
  /// The unit of the values, such as `uV`.
  var dimension = ""
  var physical = -32768...32767
  /// The same for all signals: the whole range of 16 bits.
  let digital = -32768...32767
  /// The number of samples in a data record.
  let samplesPerRecord: Int

  /// Returns the signal with annotations, which have `bytes` bytes in each data record, rounded up to whole samples.
  static func annotations(bytes: Int) -> EDFSignal {
    EDFSignal(label: annotationLabel, physical: -1...1, samplesPerRecord: (bytes + 1) / 2)
  }
}
