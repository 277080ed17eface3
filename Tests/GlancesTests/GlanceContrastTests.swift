import Testing

@testable import Glances

/// The contrasts of the colours in the pictures themselves: every class that an element has, on every background it may have.
struct GlanceContrastTests {
  /// Classes of decoration, which nobody has to see.
  private static let decoration: Set<String> = ["card", "track", "grid", "area", "line", "strong"]

  @Test func testContrast_IsThatOfTheFormula() {
    #expect(abs(PictureStyle.contrast("#000000", "#ffffff") - 21) < 0.01)
    #expect(abs(PictureStyle.contrast("#777777", "#ffffff") - 4.48) < 0.01)
    #expect(PictureStyle.blend("#ff0000", 0.5, over: "#0000ff") == "#800080")
  }

  @Test(arguments: GlanceLook.allCases, GlanceFamily.allCases)
  func testTextsAndShapes_AreDistinctFromTheirBackgrounds(look: GlanceLook, family: GlanceFamily) throws {
    for sample in GlanceSample.allCases {
      let picture = PictureReading(sample.glance.svg(family, look: look))
      for isDark in look == .auto ? [false, true] : [false] {
        try check(picture, PictureStyle(picture, isDark: isDark), "\(sample) \(isDark)")
      }
    }
  }

  private func check(_ picture: PictureReading, _ style: PictureStyle, _ name: String) throws {
    let card = try #require(style.colour("card", "fill"))
    var grounds = [card]
    let hasArea = !picture.all("path").filter { $0.classes.contains("area") }.isEmpty
    if let tint = picture.all("stop").first {
      let opacity = try #require(tint.attributes["stop-opacity"].flatMap { Double($0) })
      grounds.append(PictureStyle.blend(try #require(style.colour("tint", "stop-color")), opacity, over: card))
    }
    let track = try #require(style.colour("track", "fill"))
    var checked = 0
    for element in picture.elements {
      for name in element.classes.subtracting(Self.decoration) {
        switch (element.name, name) {
        case ("text", _):
          let colour = try #require(style.colour(name, "fill"))
          // The labels of the chart are beside it; only the words in an empty one are inside, without an area.
          for ground in grounds { #expect(PictureStyle.contrast(colour, ground) >= 4.5, "\(name) \(ground)") }
        case (_, "stress"), (_, "rate"):
          let colour = try #require(style.colour(name, "stroke"))
          let area = hasArea ? [try #require(style.colour("area", "fill"))] : []
          for ground in grounds + area { #expect(PictureStyle.contrast(colour, ground) >= 3, "\(name) \(ground)") }
        case (_, "edge"):
          let colour = try #require(style.colour(name, "stroke"))
          for ground in grounds + [track] { #expect(PictureStyle.contrast(colour, ground) >= 3, "\(name) \(ground)") }
        case (_, "ink"):
          let colour = try #require(style.colour(name, "stroke") ?? style.colour(name, "fill"))
          #expect(PictureStyle.contrast(colour, try #require(style.colour("fill", "fill"))) >= 3, "ink")
        case (_, "fill"), (_, "tint"): break
        default:
          // An icon.
          let colour = try #require(style.colour(name, "fill"), "\(element)")
          for ground in grounds { #expect(PictureStyle.contrast(colour, ground) >= 3, "\(name) \(ground)") }
        }
        checked += 1
      }
    }
    #expect(checked > 0, "\(name)")
  }

  @Test(arguments: GlanceFamily.allCases) func testEInk_HasOnlyBlackAndWhite(family: GlanceFamily) {
    for sample in GlanceSample.allCases {
      let picture = sample.glance.svg(family, look: .eInk)
      let colours = Set(picture.matches(of: /#[0-9a-fA-F]{6}/).map { String($0.output) })
      #expect(colours.isSubset(of: ["#000000", "#ffffff"]))
      #expect(!picture.contains("opacity"))
    }
  }

  @Test func testCategories_DifferWithoutColour() {
    // Given
    let samples: [GlanceSample] = [.relaxed, .current, .moderate, .high]
    for family in GlanceFamily.allCases {
      // When
      let pictures = samples.map { PictureReading($0.glance.svg(family, look: .eInk)) }
      // Then: pattern, icon and word.
      let patterns = pictures.map { picture in
        let inks = picture.elements.filter { $0.classes.contains("ink") }
        return inks.map { "\($0.name) \($0.attributes["d"] ?? "")" }.joined()
          + "\(PictureStyle(picture).colour("fill", "fill") ?? "")"
      }
      let icons = pictures.map {
        $0.elements.first { $0.box != nil && $0.name == "path" && $0.classes == ["text"] }?.attributes["d"]
      }
      #expect(Set(patterns).count == 4)
      #expect(Set(icons.compactMap { $0 }).count == 4, "\(family)")
      for (picture, word) in zip(pictures, ["Relaxed", "Mild", "Moderate", "High"]) {
        #expect(picture.texts.contains { $0.contains(word) }, "\(family)")
        #expect(picture.elements.contains { $0.attributes["fill"] == "url(#pattern)" })
      }
    }
  }
}
