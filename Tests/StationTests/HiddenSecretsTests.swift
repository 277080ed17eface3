import Station
import Testing

@Suite("Secrets of the configuration")
struct HiddenSecretsTests {
  @Test(
    arguments: [
      ("influx.url", "http://u:secret@host:8086/write?db=x", "http://u:hidden@host:8086/write?db=x"),
      ("influx.url", "http://host/write?db=x&u=me&p=secret", "http://host/write?db=x&u=me&p=hidden"),
      (
        "influx.url", "https://host/api/v2/write?org=home&bucket=heart%20rate",
        "https://host/api/v2/write?org=home&bucket=heart%20rate"
      ),
      ("alerts.webhook", "https://host/hook/secret?key=secret", "https://host/hidden?key=hidden"),
      ("influx.url", "https://secret@host/write?access_token=secret", "https://hidden@host/write?access_token=hidden"),
      ("radio.passkey", "123456", "(hidden)"), ("radio.straps", "Anna,Ben", "Anna,Ben"),
      ("session.idle", "30m", "30m"),
    ])
  func testSecrets_AreHidden(path: String, text: String, shown: String) {
    #expect(HiddenSecrets.text(text, of: path) == shown)
  }
}
