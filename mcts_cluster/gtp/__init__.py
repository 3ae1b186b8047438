"""The Go Text Protocol: engines for Go and Havannah around a player and its session."""
