/// An RR interval that is an artifact, and its replacement in the corrected series. The beat itself keeps the interval that the
/// strap sent.
package struct BeatArtifact: Hashable, Sendable {
  /// The sequence number of the beat that ends the interval.
  package var beat: Int64
  /// The class of the interval; never `normal`.
  package var beatClass: BeatClass
  /// The number of intervals that replace it: several where beats were missed, 0 where it was joined to the next interval or is
  /// a gap.
  package var replacements: Int
  /// The length of each replacement, in ms; 0 if there are no replacements.
  package var milliseconds: Double

  package init(beat: Int64, beatClass: BeatClass, replacements: Int, milliseconds: Double) {
    self.beat = beat
    self.beatClass = beatClass
    self.replacements = replacements
    self.milliseconds = milliseconds
  }
}
