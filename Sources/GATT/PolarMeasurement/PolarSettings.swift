/// The settings of a measurement: what a strap offers, what a start requests, or what its response adds. They keep their
/// order.
package struct PolarSettings: Hashable, Sendable {
  package var entries: [PolarSetting]

  /// Creates settings from their entries.
  package init(_ entries: [PolarSetting] = []) {
    self.entries = entries
  }

  /// The sample rates in Hz.
  package var sampleRates: [UInt16] {
    entries.flatMap { if case .sampleRate(let values) = $0 { values } else { [UInt16]() } }
  }

  /// The resolutions in bits.
  package var resolutions: [UInt16] {
    entries.flatMap { if case .resolution(let values) = $0 { values } else { [UInt16]() } }
  }

  /// The ranges in the unit of the measurement; see `PolarSetting.range`.
  package var ranges: [UInt16] {
    entries.flatMap { if case .range(let values) = $0 { values } else { [UInt16]() } }
  }

  /// The numbers of channels.
  package var channels: [UInt8] {
    entries.flatMap { if case .channels(let values) = $0 { values } else { [UInt8]() } }
  }

  /// The factor of compressed frames: the first that is finite and above 0, or `nil`. Without it, frames have the factor 1.
  package var factor: Float? {
    let factors = entries.flatMap { if case .factor(let values) = $0 { values } else { [Float]() } }
    return factors.first { $0.isFinite && $0 > 0 }
  }

  /// Returns the settings of a start from those that a strap offers: of each setting one value, the sample rate in Hz and the
  /// range nearest to the given, the highest resolution and number of channels. Of two that are equally near, the lower is
  /// used. The factor is no part of a start; settings without values are left out.
  package func selection(sampleRate: UInt16, range: UInt16) -> PolarSettings {
    PolarSettings(
      entries.compactMap { entry in
        switch entry {
        case .sampleRate(let values): Self.nearest(to: sampleRate, of: values).map { .sampleRate([$0]) }
        case .resolution(let values): values.max().map { .resolution([$0]) }
        case .range(let values): Self.nearest(to: range, of: values).map { .range([$0]) }
        case .rangeThousandths(let values): values.min().map { .rangeThousandths([$0]) }
        case .channels(let values): values.max().map { .channels([$0]) }
        case .factor: nil
        }
      })
  }

  private static func nearest(to wanted: UInt16, of values: [UInt16]) -> UInt16? {
    values.sorted().min { max($0, wanted) - min($0, wanted) < max($1, wanted) - min($1, wanted) }
  }
}

extension PolarSettings: GATTDecodable {
  /// Reads settings to the end of the bytes. No bytes are no settings.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarSettings {
    var reader = PolarByteReader(bytes)
    return try decode(&reader)
  }

  static func decode(_ reader: inout PolarByteReader) throws(GATTDecodingError) -> PolarSettings {
    var settings = PolarSettings()
    while !reader.isAtEnd { settings.entries.append(try PolarSetting.decode(&reader)) }
    return settings
  }

  /// Writes the settings one after the other.
  package static func encode(_ settings: PolarSettings) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in settings.entries { entry.encode(to: &bytes) }
    return bytes
  }
}
