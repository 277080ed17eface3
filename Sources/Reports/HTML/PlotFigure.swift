/// A plot with its heading, its legend and a description for screen readers.
struct PlotFigure {
  /// An entry of the legend.
  struct Key {
    enum Sign {
      case line, area
      case shape(StaticString)
    }

    let sign: Sign
    let style: String
    let text: String
  }

  /// The identifier, without blanks and unique on the page.
  let id: String
  let title: String
  let description: String
  let frame: PlotFrame
  let content: [Element]
  var keys: [Key] = []
  var notes: [String] = []
  /// Whether two of the figures are placed side by side if there is room.
  var isHalf = false

  var element: Element {
    let size = "\(PathData.number(frame.width)) \(PathData.number(frame.height))"
    var picture = Element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(size)", "role": "img",
        "aria-labelledby": "\(id)-title \(id)-desc",
      ],
      children: [
        Element("title", ["id": "\(id)-title"], title), Element("desc", ["id": "\(id)-desc"], description),
      ])
    for part in content { picture.append(part) }
    var figure = Element(
      "figure", ["id": id, "class": isHalf ? "half" : "whole"], children: [Element("h3", [:], title), picture])
    if let caption { figure.append(caption) }
    return figure
  }

  private var caption: Element? {
    guard !keys.isEmpty || !notes.isEmpty else { return nil }
    var caption = Element("figcaption")
    if !keys.isEmpty { caption.append(Element("ul", ["class": "keys"], children: keys.map(Self.item))) }
    for note in notes { caption.append(Element("p", [:], note)) }
    return caption
  }

  private static func item(_ key: Key) -> Element {
    var path = PathData()
    switch key.sign {
    case .line:
      path.line(to: 1, 7)
      path.line(to: 21, 7)
    case .area: path.rectangle(1, 1, width: 20, height: 12)
    case .shape(let steps): path.shape(11, 7, steps)
    }
    var item = Element(
      "li",
      children: [
        Element(
          "svg", ["class": "key", "viewBox": "0 0 22 14", "aria-hidden": "true"],
          children: [Element("path", ["class": key.style, "d": path.text])])
      ])
    item.append(key.text)
    return item
  }
}
