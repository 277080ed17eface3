"""What runs inside the guest: its services, the straps, the program under test, and what is expected of it."""
