"""What the lab and the virtual strap share."""
