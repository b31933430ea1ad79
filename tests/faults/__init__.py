"""Documents that were found to give servers with faults."""
