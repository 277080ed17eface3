/// A queue of amortised constant time. Its storage shrinks with it.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements = []
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Keeps the elements that satisfy `isKept`, in their order.
  mutating func filter(_ isKept: (Element) -> Bool) {
    elements = elements[head...].filter { element in element.map(isKept) ?? false }
    head = 0
  }
}
