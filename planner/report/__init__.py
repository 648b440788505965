"""Results made readable: numbers, tables, HTML. Everything here is a pure function of its arguments."""
