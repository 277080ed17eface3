"""What must hold for a built Debian package; see check_package."""
