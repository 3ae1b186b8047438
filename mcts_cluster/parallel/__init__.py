"""Teams: machines with a tree each, laid over ranks, that share statistics and decide together."""
