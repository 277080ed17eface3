import Pipeline

/// The section `beats`.
package struct BeatsSection: Encodable {
  let total: Int
  let gaps: Int
  let gapSeconds: Double
  let coverage: Double
  let spanSeconds: Double
  let outOfRange: Int
  let withoutContact: Int

  init(_ counts: BeatCounts) {
    total = counts.total
    gaps = counts.gaps
    gapSeconds = counts.gapSeconds
    coverage = counts.coverage
    spanSeconds = counts.spanSeconds
    outOfRange = counts.outOfRange
    withoutContact = counts.withoutContact
  }
}
