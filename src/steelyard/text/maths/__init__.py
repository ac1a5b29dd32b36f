"""Mathematics as it is written: one notation, one tree for equal expressions."""
