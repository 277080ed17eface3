import CDBus
import Testing

@testable import DBus

struct ValueTests {
  @Test func testAccessors_giveTheirTypeOnly() throws {
    #expect(try DBusValue.byte(7).asByte() == 7)
    #expect(try DBusValue.bool(true).asBool())
    #expect(try DBusValue.int16(-60).asInt16() == -60)
    #expect(try DBusValue.uint16(23).asUInt16() == 23)
    #expect(try DBusValue.int32(-1).asInt32() == -1)
    #expect(try DBusValue.uint32(1).asUInt32() == 1)
    #expect(try DBusValue.int64(-1).asInt64() == -1)
    #expect(try DBusValue.uint64(1).asUInt64() == 1)
    #expect(try DBusValue.double(1.5).asDouble() == 1.5)
    #expect(try DBusValue.string("x").asString() == "x")
    #expect(try DBusValue.signature("ay").asSignature() == "ay")
    #expect(try DBusValue.objectPath(.root).asPath() == .root)
    #expect(try DBusValue.bytes([1]).asBytes() == [1])
    #expect(try DBusValue.strings(["a", "b"]).asStrings() == ["a", "b"])
    #expect(try DBusValue.strings(["a"]).asArray() == [.string("a")])
    #expect(try DBusValue.structure([.byte(1)]).asStructure() == [.byte(1)])
    #expect(try DBusValue.variant(.byte(1)).asVariant() == .byte(1))
    #expect(try DBusValue.properties(["RSSI": .int16(-5)]).asProperties() == ["RSSI": .int16(-5)])
    #expect(throws: DBusError.unexpected("a uint16 was expected, \"n\" came")) { try DBusValue.int16(1).asUInt16() }
    #expect(throws: DBusError.unexpected("a string was expected, \"o\" came")) {
      try DBusValue.objectPath(.root).asString()
    }
    #expect(throws: DBusError.unexpected("a dictionary a{sv} was expected, \"a{ss}\" came")) {
      try DBusValue.dictionary(key: .string, value: .string, [:]).asProperties()
    }
    #expect(throws: DBusError.unexpected("3 values were expected, \"sy\" came")) {
      try [DBusValue.string(""), .byte(1)].exactly(3)
    }
  }

  @Test(arguments: [
    ("/", true), ("/a", true), ("/org/bluez/hci0/dev_00_11", true), ("", false), ("a", false), ("/a/", false),
    ("//", false), ("/a//b", false), ("/a-b", false), ("/ä", false), ("/a\0b", false),
  ])
  func testObjectPath_isValidated(text: String, isValid: Bool) {
    #expect(((try? DBusObjectPath(validating: text)) != nil) == isValid)
  }

  @Test func testObjectPath_growsAndContains() throws {
    let adapter = try DBusObjectPath.root.appending("org").appending("hci0")
    #expect(adapter.text == "/org/hci0")
    for element in ["", "a/b", "/", "a-b", "\0"] {
      #expect(throws: DBusError.self) { try adapter.appending(element) }
    }
    #expect(try adapter.appending("dev").isWithin(adapter))
    #expect(adapter.isWithin(.root) && adapter.isWithin(adapter))
    #expect(try !DBusObjectPath(validating: "/org/hci01").isWithin(adapter))
  }

  @Test func testMatchRule_isWrittenAsTheBusReadsIt() {
    let rule = DBusMatchRule(
      sender: "org.bluez", interface: "a.b", member: "C", pathNamespace: "/org/bluez", argument0: "it's, a \\ quote")
    #expect(
      rule.text
        == "type='signal',sender='org.bluez',interface='a.b',member='C',path_namespace='/org/bluez',"
        + #"arg0='it'\''s, a \ quote'"#)
    #expect(DBusMatchRule(path: "/").text == "type='signal',path='/'")
  }

  /// The size that is reckoned beforehand is the one that libdbus writes.
  @Test func testMeasuredSize_isThatOfTheMessage() throws {
    for value in CallTests.values + [.structure(CallTests.values)] {
      var measure = MessageMeasure(path: .root)
      try measure.add(body: [.byte(1), value])
      let handle = try MessageHandle.signal(
        path: .root, interface: "a.b", member: "C", arguments: [.byte(1), value], destination: nil)
      var data: UnsafeMutablePointer<CChar>?
      var count: Int32 = 0
      dbus_message_set_serial(handle.message, 1)
      try #require(dbus_message_marshal(handle.message, &data, &count) != 0)
      let bytes = try #require(data)
      let body = bytes.withMemoryRebound(to: UInt32.self, capacity: 2) { $0[1] }
      dbus_free(bytes)
      #expect(measure.size == Int(body), "\(value)")
    }
  }

  @Test func testErrors_areWordedForPeople() {
    #expect("\(DBusError.remote(name: "a.b", message: "busy"))" == "busy (a.b)")
    #expect("\(DBusError.remote(name: "a.b", message: ""))" == "a.b")
    #expect("\(DBusError.timedOut(member: "Connect"))" == "Connect was not answered in time")
  }

  @Test func testCallDeadlines_givesTheEarliestFirst() {
    var heap = CallDeadlines()
    var expected: [Int64] = []
    for number in 0..<1000 {
      let deadline = Int64(number * 7919 % 1009)
      heap.insert(.init(deadline: deadline, serial: UInt32(number)))
      if number % 3 == 0 { expected.append(deadline) }
    }
    heap.compact(live: 334) { $0.serial % 3 == 0 }
    var given: [Int64] = []
    while let entry = heap.removeFirst() { given.append(entry.deadline) }
    #expect(given == expected.sorted())
  }
}
