"""The facts about bluetoothd that versions may differ in, and what the program does about each."""

from __future__ import annotations

from enum import Enum


class DaemonFact(Enum):
    """What the scenario `daemon` asks."""

    LINK = "signals of a link"
    INTERFACES = "interfaces of all objects"
    ADAPTER_PROPERTIES = "properties of an adapter"
    PROPERTIES = "properties of a connected device"
    VALUE_PROPERTIES = "properties of the Heart Rate Measurement"
    MTU = "MTU of the notify socket"
    ONE_SUBSCRIBER = "signals a value with one subscriber"
    TWO_SUBSCRIBERS = "signals a value with two subscribers"
    SHARED_SOCKET = "AcquireNotify while another program is subscribed by signals"
    WRONG_WRITE = "a value that the strap refuses with ATT error 0x80"
    NO_DISCOVERY = "StopDiscovery without a discovery"
    DROPPED = "signals when the strap ends the link (0x13)"
    LOST = "signals when the link is lost (0x08)"
    ABSENT = "Connect to a strap that is out of range"
    UNBONDED_SOCKET = "AcquireNotify where the strap requires a bond"
    UNBONDED_SIGNALS = "StartNotify where the strap requires a bond"
    PAIRING = "signals of Pair"
    PAIRED_ALREADY = "Pair with a bonded strap"
    UNSIGNALLED = "links of a bonded strap whose Connected is not signalled"
    REMOVED = "signals of RemoveDevice on a link that is up"
    BLOCKED = "state of an adapter that rfkill blocks"
    BLOCKED_SWITCH = "switching on an adapter that rfkill blocks"


# Facts that are sets: of them the page has only what not every version has.
SETS = (DaemonFact.INTERFACES, DaemonFact.ADAPTER_PROPERTIES, DaemonFact.PROPERTIES, DaemonFact.VALUE_PROPERTIES)
# Facts that timing decides, so that another count is no other behaviour.
CHANCE = (DaemonFact.UNBONDED_SOCKET, DaemonFact.UNBONDED_SIGNALS, DaemonFact.UNSIGNALLED)
# What the program does about facts that differ.
HANDLING = {
    DaemonFact.INTERFACES: "none of them is used.",
    DaemonFact.ADAPTER_PROPERTIES: "`PowerState` is used where it is there, none of the others.",
    DaemonFact.PROPERTIES: "none of them is used.",
    DaemonFact.VALUE_PROPERTIES: "none of them is used.",
    DaemonFact.TWO_SUBSCRIBERS: "the number of copies is learnt, and copies are left out (`SignalRepeats`).",
    DaemonFact.UNBONDED_SOCKET:
        "without an answer within 4 s the subscription has failed. If there is a bond by then, the daemon has to forget "
        "the strap, and the next link bonds before it subscribes; otherwise signals are asked for (`LinkMachine`).",
    DaemonFact.UNBONDED_SIGNALS:
        "the ATT error 0x0e counts as a lost link, and the next one has the bond (`LinkFaultReading`).",
    DaemonFact.PAIRED_ALREADY:
        "a strap with a bond is not paired again (`LinkMachine`), and `AlreadyExists` counts as success (`StrapSteps`).",
    DaemonFact.UNSIGNALLED:
        "where a strap does not seem to be connected after `Connect` has succeeded, its properties are read "
        "(`StrapSteps`).",
    DaemonFact.BLOCKED:
        "without `PowerState` the kernel's switches in `/sys/class/rfkill` are read (`BlueZAdapter`, `RFKill`).",
}
# Why the recovery from a fault takes longer with one version, by the title of the fault.
RECOVERY_REASONS = {
    "bond lost by the strap":
        "The strap ends each link that is encrypted with the lost key. After three links that came up, the daemon has to "
        "forget the strap (`LinkMachine`). BlueZ 5.82 often answers `Connect` with success when the link has ended "
        "already, which does not count as one that came up, and the first link after `RemoveDevice` ends like those "
        "before it.",
}
# Why scenarios fail, by their names.
FAILURE_REASONS = {
    "flood":
        "For each value, BlueZ 5.82 takes several times the processor time of 5.66: on the guest's one processor "
        "300 to 600 of the 1000 values a second are left, too few for the limits. Straps send one or two a second. With "
        "each of them values are lost where the guest has no processor of the host for itself.",
    "power-cut":
        "Acknowledged notifications are kept; what exceeds the limit are values that were not committed yet. Where the "
        "host has other work, the first commit of a boot comes later than a second after the first value.",
}
