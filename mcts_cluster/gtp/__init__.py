"""The Go Text Protocol: a player that other programs talk to."""
