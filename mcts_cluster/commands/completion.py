"""The verb `completion`: a script by which a shell completes verbs, options and files."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from mcts_cluster import shells

EXAMPLES = """\
examples:
  mcts-cluster completion bash > ~/.local/share/bash-completion/completions/mcts-cluster
  mcts-cluster completion zsh > ~/.zfunc/_mcts-cluster
  mcts-cluster completion fish > ~/.config/fish/completions/mcts-cluster.fish

For the shell at hand alone: source <(mcts-cluster completion bash). For zsh
the line "fpath+=~/.zfunc" stands in ~/.zshrc before that of compinit.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument(
        "shell", choices=shells.SCRIPTS, metavar="SHELL", help=", ".join(shells.SCRIPTS)
    )


def main(args: Namespace) -> int:
    print(shells.SCRIPTS[args.shell](shells.verbs_of(args.all_verbs())), end="")
    return 0
