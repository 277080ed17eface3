"""What runs on the machine of the person: the guest's kernel, its boots, its end, its results."""
