"""Settings: declared once, read by one reader.

A setting is declared where the class that it configures is: a field of a dataclass, whose line has
the default, the limits and the meaning.

    class Mcts:
        threads: int = setting(1, least=1, most=1024, meaning="that share one tree")

From such lines follow what a job file, `--set` and the words of GTP may say (table.py reads all of
them), the JSON Schema and the tables of the documents (jobs/schema.py, jobs/markdown.py), and
whether a file of results may be continued (jobs/compatibility.py).
"""
