/// The connections that are up, by adapter and handle or by access address. Repeated lookups of the same connection are fast.
struct ConnectionTable {
  private var slots: [Connection] = []
  private var free: [Int] = []
  private var slotOfKey: [UInt64: Int] = [:]
  private var last: (key: UInt64, slot: Int)?

  /// Returns the slot of the connection with this key, or `nil` if there is no such connection.
  mutating func slot(_ key: UInt64) -> Int? {
    if let last, last.key == key { return last.slot }
    guard let slot = slotOfKey[key] else { return nil }
    last = (key, slot)
    return slot
  }

  subscript(slot: Int) -> Connection {
    _read { yield slots[slot] }
    _modify { yield &slots[slot] }
  }

  mutating func insert(_ connection: Connection, key: UInt64) -> Int {
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      slots[slot] = connection
    } else {
      slot = slots.count
      slots.append(connection)
    }
    slotOfKey[key] = slot
    last = (key, slot)
    return slot
  }

  /// Removes and returns the connection with this key, or returns `nil` if there is no such connection.
  mutating func remove(_ key: UInt64) -> Connection? {
    guard let slot = slotOfKey.removeValue(forKey: key) else { return nil }
    last = nil
    free.append(slot)
    return slots[slot]
  }

  /// Returns the keys that satisfy `predicate`, in ascending order.
  func keys(where predicate: (UInt64) -> Bool) -> [UInt64] {
    slotOfKey.keys.filter(predicate).sorted()
  }
}
