"""The radio lab: the program against a real bluetoothd on a real kernel, with virtual straps and injected faults."""
