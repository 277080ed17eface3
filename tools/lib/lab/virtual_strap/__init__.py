"""Heart-rate straps without a person: a GATT server made with bumble, on a virtual radio or a real controller."""
