import Foundation
import Testing

@testable import Reports

struct PageStyleTests {
  private static let texts = ["text", "soft"]
  private static let grounds = ["back", "vlf", "lf", "hf"]
  private static let shapes = ["line", "ellipse", "ectopic", "missed", "extra", "long-short"]

  /// The colours of the bright page, and of the dark one.
  private func colours() -> [[String: UInt32]] {
    PageStyle.text.matches(of: /:root\{[^}]*\}/).map { block in
      var colours: [String: UInt32] = [:]
      for match in block.output.matches(of: /--([a-z-]+):#([0-9a-f]+)/) {
        let digits = match.output.2.count == 3 ? match.output.2.map { "\($0)\($0)" }.joined() : String(match.output.2)
        colours[String(match.output.1)] = UInt32(digits, radix: 16)
      }
      return colours
    }
  }

  /// WCAG 2.2, "relative luminance".
  private func luminance(_ colour: UInt32) -> Double {
    let parts = [16, 8, 0].map { shift in
      let value = Double((colour >> UInt32(shift)) & 255) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ first: UInt32, _ second: UInt32) -> Double {
    let values = [luminance(first), luminance(second)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  @Test func testColours_AreReadableBrightAndDark() throws {
    let pages = colours()
    #expect(pages.count == 2)
    for page in pages {
      for (names, least, grounds) in [(Self.texts, 4.5, Self.grounds), (Self.shapes, 3, ["back"])] {
        for name in names {
          for ground in grounds {
            let contrast = contrast(try #require(page[name]), try #require(page[ground]))
            #expect(contrast >= least, "\(name) on \(ground): \(contrast)")
          }
        }
      }
    }
  }
}
