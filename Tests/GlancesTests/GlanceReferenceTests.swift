import Foundation
import Testing

@testable import Glances

/// The pictures as files, so that a change of their looks is seen. TACHOGRAM_WRITE_REFERENCES=1 writes them anew.
struct GlanceReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "References")
  private static let isWriting = ProcessInfo.processInfo.environment["TACHOGRAM_WRITE_REFERENCES"] != nil

  /// A picture that is compared.
  struct Reference: Sendable, CustomTestStringConvertible {
    var sample: GlanceSample
    var family: GlanceFamily
    var look: GlanceLook

    var name: String { "\(family.rawValue)-\(sample.rawValue)-\(look.rawValue).svg" }
    var testDescription: String { name }
  }

  static let references: [Reference] = GlanceFamily.allCases.flatMap { family in
    let looks: [GlanceLook] = [.light, .dark, .eInk]
    // The charts make references of `large` long.
    let states: [GlanceSample] =
      family == .large
      ? [.stale, .heartRateOnly, .noReading] : [.stale, .disconnected, .heartRateOnly, .noReading, .notConnected]
    let others: [(GlanceSample, GlanceLook)] =
      family == .small || family == .circular
      ? [(.relaxed, .light), (.moderate, .light), (.high, .dark), (.stale, .dark), (.high, .eInk), (.stale, .eInk)]
      : family == .inline ? [(.current, .auto)] : [(.high, .eInk)]
    return looks.map { Reference(sample: .current, family: family, look: $0) }
      + states.map { Reference(sample: $0, family: family, look: .light) }
      + others.map { Reference(sample: $0.0, family: family, look: $0.1) }
  }

  @Test(arguments: references) func testPicture_EqualsItsReference(_ reference: Reference) throws {
    // Given
    let file = Self.folder.appending(path: reference.name)
    // When
    let picture = reference.sample.glance.svg(reference.family, look: reference.look)
    // Then
    if Self.isWriting {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(picture.utf8).write(to: file)
    }
    #expect(try Data(contentsOf: file) == Data(picture.utf8))
  }

  @Test(.disabled(if: isWriting)) func testReferences_AreAllCompared() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files).symmetricDifference(Self.references.map(\.name)).isEmpty)
    #expect(files.count >= 24)
  }
}
