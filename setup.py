"""Build the Cython core: each cext/*.pyx becomes an extension, so a new game needs no line here.

Two environment variables choose another build than the native one:

MCTS_CLUSTER_PORTABLE=1  for every processor of this architecture, instead of for the one at hand
MCTS_CLUSTER_SANITIZE=1  slow, checks addresses and undefined behaviour; for tests
MCTS_CLUSTER_SANITIZE=threads  slow, checks that threads do not touch the same data unordered

Whatever was built, `mcts-cluster --version` says it (cext/build_info.pyx).
"""

import json
import os
import subprocess
from pathlib import Path

from setuptools import Extension, __version__, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

# Contracting a*b+c into one rounding would make scores differ between processors. The limit is for
# gcc, which otherwise leaves the body of a playout's move outside its loop.
PORTABLE = ["-O3", "-ffp-contract=off", "-finline-limit=3000"]
# The instructions of this processor, but the schedule of none: gcc 12 guesses badly for a
# processor newer than itself, and its generic schedule then measures faster.
NATIVE = [*PORTABLE, "-march=native", "-mtune=generic"]
SANITIZED = [
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
]

SANITIZED_THREADS = ["-O1", "-g", "-fsanitize=thread", "-fno-omit-frame-pointer"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

BUILD = Path("build")
CPUINFO = Path("/proc/cpuinfo")
# In a source distribution, which has no history.
COMMIT = Path("commit.txt")
# Those that a compiler uses by itself: the name of its macro, and that of Linux if it differs.
INSTRUCTIONS = {
    **{name: name for name in ("ssse3", "sse4_1", "sse4_2", "popcnt", "movbe")},
    **{name: name for name in ("avx", "avx2", "fma", "f16c", "bmi2", "avx512f", "avx512cd")},
    **{name: name for name in ("avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi")},
    **{f"avx512{name}": f"avx512_{name}" for name in ("vbmi2", "vnni", "bitalg", "vpopcntdq")},
    **{"sse3": "pni", "lzcnt": "abm", "bmi": "bmi1"},
}


class BuildCore(build_ext):
    """Cythonize and compile what is out of date: sources, flags, compiler or commit."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or True

    def run(self):
        if self.inplace:
            # pip offers an editable build a temporary directory, where nothing would be found
            # to be up to date.
            self.build_lib = str(BUILD / "inplace")
        # Where the core will be imported from; setuptools makes it in build/ in any case.
        self.core = Path("cext") if self.inplace else Path(self.build_lib, "cext")
        super().run()

    def build_extensions(self):
        compiler = self.compiler.compiler_so
        require_compiler(compiler, self.include_dirs)
        flags = choose_flags(compiler)
        record_processor(self.core / "built_for.txt", compiler, flags)
        settings = note("settings", [cython_version(), DIRECTIVES, compiler, flags])
        for extension in self.extensions:
            extension.extra_compile_args = flags
            extension.extra_link_args = [flag for flag in flags if flag.startswith("-fsanitize")]
            if extension.name == "cext.build_info":
                extension.define_macros = build_macros(compiler, flags)
                extension.depends.append(str(note("build_info", extension.define_macros)))
        self.generate_c(newer_than=settings)
        super().build_extensions()

    def generate_c(self, newer_than):
        """Write the C files, all of them after a change of settings, and so compile all of them."""
        from Cython.Build import cythonize

        age = newer_than.stat().st_mtime
        generated = [path for path in Path("cext").glob("*.c") if path.with_suffix(".pyx").exists()]
        made = cythonize(
            self.extensions,
            compiler_directives=DIRECTIVES,
            force=any(path.stat().st_mtime < age for path in generated),
            nthreads=os.cpu_count() or 1,
        )
        sources = {extension.name: extension.sources for extension in made}
        for extension in self.extensions:
            extension.sources = sources[extension.name]


def cython_version():
    try:
        import Cython
    except ImportError:
        refuse("Cython is missing; use pip install . which fetches it, or pip install cython")
    return Cython.__version__


def require_compiler(compiler, include_dirs):
    """Refuse in one sentence what would otherwise end in a page of traceback."""
    name = compiler[0]
    install = "install one (Debian: apt install gcc python3-dev), or name yours in CC"
    try:
        trivial = compile_text(compiler, "#include <stdlib.h>\n")
    except OSError as error:
        refuse(f"no C compiler, {name} cannot be run ({error.strerror}); {install}")
    if trivial.returncode:
        refuse(f"the C compiler {name} fails on #include <stdlib.h>; {install}")
    includes = [f"-I{path}" for path in include_dirs]
    if compile_text([*compiler, *includes], "#include <Python.h>\n").returncode:
        refuse(
            "the header Python.h of this Python is missing or does not compile; install it "
            "(Debian: apt install python3-dev), or use a Python that comes with its headers"
        )


def choose_flags(compiler):
    """Return the optimisation flags that the environment asks for and the compiler knows."""
    if os.environ.get("MCTS_CLUSTER_SANITIZE") == "threads":
        return SANITIZED_THREADS
    if switched_on("MCTS_CLUSTER_SANITIZE"):
        return SANITIZED
    wanted = PORTABLE if switched_on("MCTS_CLUSTER_PORTABLE") else NATIVE
    return [flag for flag in wanted if not compile_text([*compiler, flag], "").returncode]


def switched_on(variable):
    return os.environ.get(variable, "0") not in ("", "0")


def compile_text(compiler, text):
    # Assembly to stdout: no object file to name, place and remove.
    command = [*compiler, "-x", "c", "-", "-S", "-o", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True)


def record_processor(path, compiler, flags):
    """Write which instructions the build may use, for cext/__init__.py to compare."""
    path.parent.mkdir(parents=True, exist_ok=True)
    needs = instructions([*compiler, *flags]) - instructions(compiler)
    if not needs:
        path.unlink(missing_ok=True)
        return
    lines = CPUINFO.read_text().splitlines() if CPUINFO.exists() else []
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    path.write_text(f"{model or 'another processor'}\n{' '.join(sorted(needs))}\n")


def instructions(compiler):
    """Return the instructions that a compiler may use, as Linux names them in /proc/cpuinfo."""
    command = [*compiler, "-x", "c", "-", "-dM", "-E"]
    said = subprocess.run(command, input="", text=True, capture_output=True).stdout
    names = (line.split()[1].strip("_").lower() for line in said.splitlines())
    return {INSTRUCTIONS[name] for name in names if name in INSTRUCTIONS}


def build_macros(compiler, flags):
    version = subprocess.run([compiler[0], "--version"], text=True, capture_output=True).stdout
    own = os.environ.get("CFLAGS", "").split()
    words = {
        "MCTS_COMMIT": commit(),
        "MCTS_FLAGS": " ".join([*own, *flags]),
        "MCTS_COMPILER": version.partition("\n")[0] or compiler[0],
    }
    # JSON quotes as C does.
    return [(name, json.dumps(word)) for name, word in words.items()]


class Source(sdist):
    """Give a source distribution the name of its commit."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        Path(base_dir, COMMIT.name).write_text(f"{commit()}\n")


def commit():
    """Name the commit of this checkout; changes in what is built or installed are said too."""
    # Without this test a copy inside somebody else's repository would bear that one's commit.
    if not Path(".git").exists():
        return COMMIT.read_text().strip() if COMMIT.exists() else "unknown"
    name = git("rev-parse", "--short", "HEAD")
    code = ["cext", "mcts_cluster", "pyproject.toml", "setup.py"]
    changed = bool(name) and git("status", "--porcelain", "--", *code)
    return f"{name}+changes" if changed else name or "unknown"


def git(*words):
    try:
        return subprocess.run(["git", *words], text=True, capture_output=True).stdout.strip()
    except OSError:
        return ""


def note(name, content):
    """Keep the content in build/, written only when it changes: its age is a dependency."""
    path = BUILD / f"{name}.json"
    text = json.dumps(content, indent=1)
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return path


def refuse(sentence):
    raise SystemExit(f"mcts_cluster cannot be built: {sentence}")


# Guarded, because the processes that cythonize may import this file again.
if __name__ == "__main__":
    # As in pyproject.toml, which an older one would refuse at length, for its licence.
    if int(__version__.partition(".")[0]) < 77:
        refuse(f"setuptools {__version__} is too old; pip install --upgrade setuptools")
    setup(
        cmdclass={"build_ext": BuildCore, "sdist": Source},
        ext_modules=[
            Extension(f"cext.{path.stem}", [path.as_posix()])
            for path in sorted(Path("cext").glob("*.pyx"))
        ],
    )
