/// A handle for one connection of `Connections`.
struct OpenConnection: Sendable {
  let number: Int
  let owner: Connections

  func change(to state: ConnectionTable.State) { owner.change(number, to: state) }

  func remove() { owner.remove(number) }
}
