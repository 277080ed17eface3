/// An event that the beat timeline emits, in order of time.
package enum BeatEvent: Hashable, Sendable {
  case beat(Beat)
  case gap(BeatGap)
}
