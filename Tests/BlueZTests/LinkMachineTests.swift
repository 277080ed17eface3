import BlueZ
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Link machine")
struct LinkMachineTests {
  // MARK: - The way up

  @Test func testStrapThatIsHeard_GoesLive() {
    var script = LinkScript()
    script.look()
    #expect(script.phase == .scanning)
    #expect(script.actions == [.search(true)])
    script.device { $0.isInRange = true }
    #expect(script.phase == .connecting)
    #expect(script.step == .connect)
    #expect(script.actions.contains(.search(false)))
    script.end()
    script.device { $0.isConnected = true }
    #expect(script.phase == .resolving)
    script.device {
      $0.servicesResolved = true
      $0.hasHeartRate = true
    }
    #expect(script.phase == .subscribing)
    #expect(script.step == .subscribe(.acquire))
    script.end()
    #expect(script.phase == .subscribing)
    script.notify(seconds: 1)
    #expect(script.phase == .live)
    #expect(script.reason == nil)
  }

  @Test func testAnswerBeforeTheProperty_IsWaitedFor() {
    var script = LinkScript()
    script.look()
    script.device { $0.isInRange = true }
    script.end()
    #expect(script.phase == .connecting)
    script.pass(seconds: 1)
    script.device { $0.isConnected = true }
    #expect(script.phase == .resolving)
  }

  @Test func testConnectionThatNeverShows_IsRetried() {
    var script = LinkScript()
    script.look()
    script.device { $0.isInRange = true }
    script.end()
    script.pass(seconds: 2.1)
    #expect(script.phase == .backingOff)
    #expect(script.reason == .linkLost)
  }

  @Test func testStrapThatIsConnectedAlready_IsNotConnectedAgain() {
    var script = LinkScript()
    script.device { $0.isConnected = true }
    #expect(script.phase == .resolving)
    #expect(script.count(of: .connect) == 0)
  }

  // MARK: - Obstacles

  @Test(arguments: [
    (LinkSurroundings(hasBus: false), LinkPhase.daemonAbsent, LinkReason.noBus),
    (LinkSurroundings(hasDaemon: false), .daemonAbsent, .noDaemon),
    (LinkSurroundings(adapter: .missing), .adapterAbsent, .adapterMissing),
    (LinkSurroundings(adapter: .off), .adapterAbsent, .adapterOff),
    (LinkSurroundings(adapter: .blocked), .adapterAbsent, .adapterBlocked),
  ])
  func testObstacle_EndsALiveLinkAndIsOvercome(surroundings: LinkSurroundings, phase: LinkPhase, reason: LinkReason) {
    var script = LinkScript()
    script.goLive()
    script.look { $0 = surroundings }
    #expect(script.phase == phase)
    #expect(script.reason == reason)
    #expect(script.actions.last == .unsubscribe)
    script.pass(seconds: 3600)
    #expect(script.phase == phase)
    script.surroundings = LinkSurroundings()
    script.goLive()
    #expect(script.phase == .live)
  }

  // MARK: - Links that are lost

  @Test func testLostLink_IsSearchedWithinASecond() {
    var script = LinkScript()
    script.goLive()
    script.notify(seconds: 60)
    script.lose()
    #expect(script.phase == .backingOff)
    #expect(script.reason == .linkLost)
    script.pass(seconds: 0.3)
    #expect(script.phase == .scanning)
    script.goLive()
    #expect(script.phase == .live)
  }

  @Test func testStrapThatDropsAgainAndAgain_IsWaitedForLonger() {
    var script = LinkScript()
    script.goLive()
    var waits: [Double] = []
    for _ in 0..<6 {
      script.lose()
      let start = script.now
      while script.phase == .backingOff { script.pass(seconds: 0.05) }
      waits.append(Double(script.now.microseconds(since: start)) / 1e6)
      script.goLive()
    }
    #expect(waits.prefix(5) == waits.prefix(5).sorted()[...])
    #expect(waits[0] < 0.4)
    #expect(waits[5] > 2.9 && waits[5] <= 4.1)
  }

  @Test func testStepThatNeverEnds_IsGivenUp() {
    var script = LinkScript()
    script.look()
    script.device { $0.isInRange = true }
    script.pass(seconds: 11)
    #expect(script.phase == .connecting)
    script.pass(seconds: 1.1)
    #expect(script.actions.contains(.abandon))
    #expect(script.reason == .timedOut)
  }

  @Test func testEndOfAStepThatWasGivenUp_IsIgnored() {
    var script = LinkScript()
    script.look()
    script.device { $0.isInRange = true }
    script.pass(seconds: 12.5)
    let state = script.machine.state
    #expect(script.send(.ended(number: 1, fault: .refused)).isEmpty)
    #expect(script.machine.state == state)
  }

  // MARK: - Silence

  @Test func testSilence_IsStaleThenSubscribedAnewThenConnectedAnew() {
    var script = LinkScript()
    script.goLive()
    script.notify(seconds: 20)
    let subscriptions = script.count(of: .subscribe(.signals))
    script.pass(seconds: 4.9)
    #expect(script.phase == .silent)
    script.pass(seconds: 4)
    #expect(script.phase == .subscribing)
    #expect(script.reason == .silence)
    #expect(script.count(of: .subscribe(.signals)) == subscriptions + 1)
    script.end()
    script.pass(seconds: 17)
    #expect(script.step == .disconnect)
    #expect(script.phase == .backingOff)
    #expect(script.reason == .silence)
  }

  @Test func testSilenceThatEnds_IsLiveAgainAtOnce() {
    var script = LinkScript()
    script.goLive()
    script.notify(seconds: 20)
    script.pass(seconds: 6)
    #expect(script.phase == .silent)
    script.notify(seconds: 1)
    #expect(script.phase == .live)
  }

  @Test func testNothingAfterSubscribing_TriesTheOtherWayAndKeepsIt() {
    var script = LinkScript()
    script.look()
    script.resolve()
    script.end()
    script.pass(seconds: 3.1)
    #expect(script.step == .subscribe(.signals))
    script.end()
    script.notify(seconds: 30)
    #expect(script.phase == .live)
    #expect(script.machine.preferredWay == .signals)
    script.lose()
    script.pass(seconds: 1)
    script.goLive()
    #expect(script.step == .subscribe(.signals))
  }

  @Test func testEndOfTheSubscription_WaitsForTheEndOfTheLink() {
    var script = LinkScript()
    script.goLive()
    script.send(.subscriptionEnded)
    #expect(script.phase == .live)
    script.lose()
    #expect(script.reason == .linkLost)
  }

  @Test func testEndOfTheSubscriptionAlone_SubscribesAnew() {
    var script = LinkScript()
    script.goLive()
    let before = script.count(of: .subscribe(.signals))
    script.send(.subscriptionEnded)
    script.pass(seconds: 0.6)
    #expect(script.count(of: .subscribe(.signals)) == before + 1)
  }

  // MARK: - Faults with a cure

  @Test func testRefusedWay_IsReplacedByTheOther() {
    var script = LinkScript()
    script.look()
    script.resolve()
    script.end(.wayRefused)
    #expect(script.phase == .subscribing)
    #expect(script.step == .subscribe(.signals))
    script.end(.wayRefused)
    #expect(script.phase == .backingOff)
  }

  @Test func testStrapThatWantsABond_IsBonded() {
    var script = LinkScript()
    script.look()
    script.resolve()
    script.end(.notAuthorised)
    #expect(script.step == .pair)
    script.end()
    // The property follows later; until then nothing is bonded twice.
    #expect(script.step == .subscribe(.acquire))
    #expect(script.count(of: .pair) == 1)
  }

  @Test func testBondThatIsWanted_WaitsForTheServices() {
    var script = LinkScript(wantsBond: true)
    script.look()
    script.end()
    script.device { $0.isConnected = true }
    #expect(script.phase == .resolving)
    #expect(script.count(of: .pair) == 0)
    script.resolve()
    #expect(script.step == .pair)
    script.end()
    #expect(script.step == .subscribe(.acquire))
  }

  /// The daemon bonds by itself when the strap asks for it, and then may never answer.
  @Test func testSubscriptionThatGetsLostOverABond_IsMadeBehindTheBondTheNextTime() {
    var script = LinkScript()
    script.look()
    script.resolve()
    #expect(script.step == .subscribe(.acquire))
    script.device { $0.isPaired = true }
    script.end(.timedOut)
    #expect(script.step == .forget)
    script.end()
    script.lose()
    script.device { $0.isPaired = false }
    script.pass(seconds: 30)
    script.device { $0.isInRange = true }
    script.end()
    script.resolve()
    #expect(script.step == .pair)
    script.end()
    #expect(script.step == .subscribe(.acquire))
  }

  @Test func testBondThatTheStrapForgot_IsForgottenHereToo() {
    var script = LinkScript()
    script.device {
      $0.isPaired = true
      $0.isConnected = true
      $0.servicesResolved = true
      $0.hasHeartRate = true
    }
    script.end(.notAuthorised)
    #expect(script.step == .forget)
    #expect(script.phase == .backingOff)
    // Nothing else begins before it is forgotten.
    script.pass(seconds: 5)
    #expect(script.phase == .backingOff)
    script.look { $0.device = nil }
    script.end()
    script.pass(seconds: 5)
    #expect(script.phase == .scanning)
  }

  @Test func testBondedLinksThatEndMute_CountAsALostBond() {
    var script = LinkScript()
    for _ in 0..<3 {
      script.pass(seconds: 10)
      script.device {
        $0.isPaired = true
        $0.isInRange = true
      }
      script.end()
      script.device { $0.isConnected = true }
      #expect(script.phase == .resolving)
      script.lose()
    }
    #expect(script.step == .forget)
  }

  @Test func testBondedLinksThatNotified_KeepTheirBond() {
    var script = LinkScript()
    for _ in 0..<10 {
      script.device { $0.isPaired = true }
      script.goLive()
      script.lose()
      script.pass(seconds: 10)
    }
    #expect(script.count(of: .forget) == 0)
  }

  @Test func testCacheWithoutHeartRate_IsDroppedAtTheSecondTime() {
    var script = LinkScript()
    for expected in [LinkStep.disconnect, .forget] {
      script.device {
        $0.isConnected = true
        $0.servicesResolved = true
      }
      #expect(script.reason == .noHeartRateService)
      #expect(script.step == expected)
      script.lose()
      script.end()
      script.pass(seconds: 3)
    }
  }

  // MARK: - Whatever happens

  /// Whatever comes in whatever order, the machine never asks for the same instant for ever, begins no step while
  /// another one runs without giving it up, and comes back to life when all is well.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func testRandomInputs_LeaveAMachineThatRecovers(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var script = LinkScript(wantsBond: seed.isMultiple(of: 3))
    for _ in 0..<300 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: script.look { $0.hasDaemon.toggle() }
      case 1:
        script.look { $0.adapter = [.ready, .ready, .off, .blocked, .missing].randomElement(using: &random) ?? .ready }
      case 2: script.device { $0.isConnected.toggle() }
      case 3: script.device { $0.servicesResolved.toggle() }
      case 4: script.device { $0.isInRange.toggle() }
      case 5: script.device { $0.hasHeartRate.toggle() }
      case 6: script.end(LinkFault.allCases.randomElement(using: &random))
      case 7: script.send(Bool.random(using: &random) ? .notification : .subscriptionEnded)
      default: script.pass(seconds: Double.random(in: 0...20, using: &random))
      }
    }
    script.surroundings = LinkSurroundings()
    script.look()
    // What still runs is given up in its time.
    script.pass(seconds: 200)
    #expect(script.phase == .scanning)
    script.goLive()
    #expect(script.phase == .live, "\(script.machine)")
  }
}
