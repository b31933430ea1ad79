"""What clients are sent: results, lists and progress, in their revision of the protocol."""
