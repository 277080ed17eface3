/// An RR interval that is not what it seems, and what the corrected series has in its place. The beat itself keeps what the
/// strap sent.
package struct BeatArtifact: Hashable, Sendable {
  /// The sequence number of the beat that ends the interval.
  package var beat: Int64
  /// What it turned out to be; never normal.
  package var beatClass: BeatClass
  /// How many intervals take its place: several where beats were missed, none where it was joined to the next one or is a
  /// gap.
  package var replacements: Int
  /// The length of each of them, in ms; 0 where there is none.
  package var milliseconds: Double

  package init(beat: Int64, beatClass: BeatClass, replacements: Int, milliseconds: Double) {
    self.beat = beat
    self.beatClass = beatClass
    self.replacements = replacements
    self.milliseconds = milliseconds
  }
}
