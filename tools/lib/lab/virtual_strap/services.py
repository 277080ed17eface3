"""The strap's GATT database: Heart Rate, Battery and Device Information."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from bumble import att
from bumble.core import UUID, Appearance
from bumble.device import Connection
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, Descriptor, Service
from bumble.profiles.gap import GenericAccessService

HEART_RATE, BATTERY, DEVICE_INFORMATION = 0x180D, 0x180F, 0x180A
MEASUREMENT, LOCATION, CONTROL_POINT, BATTERY_LEVEL = 0x2A37, 0x2A38, 0x2A39, 0x2A19
CHEST = 1
RESET_ENERGY = b"\x01"
# Heart Rate Service 1.0, section 1.6; ATT (Core 5.4, Vol 3, Part F, 3.4.1.1).
CONTROL_POINT_NOT_SUPPORTED = 0x80
INVALID_ATTRIBUTE_LENGTH = 0x0D
NOTIFICATIONS, INDICATIONS = 0x0001, 0x0002
APPEARANCE = Appearance(Appearance.Category.HEART_RATE_SENSOR, Appearance.HeartRateSensorSubcategory.HEART_RATE_BELT)
INFORMATION = {
    0x2A29: "Tachogram",
    0x2A24: "Virtual Strap",
    0x2A26: "1.0.0",
    0x2A27: "A",
    0x2A28: "1.0.0",
}
SERIAL_NUMBER = 0x2A25


class Subscription:
    """The Client Characteristic Configuration of a characteristic, for the single connection of a strap."""

    def __init__(
        self, changed: Callable[[bool], None], allowed: Callable[[Connection], None], kind: int = NOTIFICATIONS
    ) -> None:
        self.enabled = False
        self._kind = kind
        self._changed = changed
        self._allowed = allowed

    def descriptor(self) -> Descriptor:
        return Descriptor(
            GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR,
            att.Attribute.READABLE | att.Attribute.WRITEABLE,
            att.AttributeValueV2(read=self._read, write=self._write),
        )

    def set(self, enabled: bool) -> None:
        """Sets a subscription as a write does: that of a bonded peer is restored."""
        if enabled != self.enabled:
            self.enabled = enabled
            self._changed(enabled)

    def _read(self, _bearer: att.Bearer) -> bytes:
        return bytes([self._kind if self.enabled else 0, 0])

    def _write(self, bearer: att.Bearer, value: bytes) -> None:
        if len(value) != 2:
            raise att.ATT_Error(INVALID_ATTRIBUTE_LENGTH)
        if isinstance(bearer, Connection):
            self._allowed(bearer)
        self.set(bool(value[0] & self._kind))


@dataclass
class StrapServices:
    """The parts of its database that the strap uses."""

    measurement: Characteristic
    measurement_subscription: Subscription
    battery: Characteristic
    battery_subscription: Subscription
    services: list[Service]


def make_services(
    name: str,
    serial: str,
    battery_level: Callable[[], int],
    energy_reset: Callable[[], None],
    measurement_subscription: Subscription,
    battery_subscription: Subscription,
) -> StrapServices:
    """Returns the services in the order of their handles, which is the same for every strap."""

    def control_point(_bearer: att.Bearer, value: bytes) -> None:
        if value != RESET_ENERGY:
            raise att.ATT_Error(CONTROL_POINT_NOT_SUPPORTED)
        energy_reset()

    properties = Characteristic.Properties
    measurement = Characteristic(
        UUID.from_16_bits(MEASUREMENT),
        properties.NOTIFY,
        Characteristic.Permissions(0),
        att.AttributeValueV2(read=_refuse_read, write=_refuse_write),
        [measurement_subscription.descriptor()],
    )
    battery = Characteristic(
        UUID.from_16_bits(BATTERY_LEVEL),
        properties.READ | properties.NOTIFY,
        Characteristic.READABLE,
        att.AttributeValueV2(read=lambda _: bytes([battery_level()]), write=_refuse_write),
        [battery_subscription.descriptor()],
    )
    control = Characteristic(
        UUID.from_16_bits(CONTROL_POINT),
        properties.WRITE,
        Characteristic.WRITEABLE,
        att.AttributeValueV2(read=_refuse_read, write=control_point),
    )
    information = {**INFORMATION, SERIAL_NUMBER: serial}
    texts = [_readable(uuid, text.encode()) for uuid, text in sorted(information.items())]
    services = [
        GenericAccessService(name, APPEARANCE),
        Service(UUID.from_16_bits(HEART_RATE), [measurement, _readable(LOCATION, bytes([CHEST])), control]),
        Service(UUID.from_16_bits(BATTERY), [battery]),
        Service(UUID.from_16_bits(DEVICE_INFORMATION), texts),
    ]
    return StrapServices(measurement, measurement_subscription, battery, battery_subscription, services)


def _readable(uuid: int, value: bytes) -> Characteristic:
    return Characteristic(
        UUID.from_16_bits(uuid),
        Characteristic.Properties.READ,
        Characteristic.READABLE,
        att.AttributeValueV2(read=lambda _: value, write=_refuse_write),
    )


def _refuse_read(_bearer: att.Bearer) -> bytes:
    raise att.ATT_Error(att.ATT_READ_NOT_PERMITTED_ERROR)


def _refuse_write(_bearer: att.Bearer, _value: bytes) -> None:
    """Refuses a write, because bumble's server does not check the permissions."""
    raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)
