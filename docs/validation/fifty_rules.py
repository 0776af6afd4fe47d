"""Fifty user rules of every kind, to time `ethogram tag --rules`: prints a file of rules."""

N = 0


def rule(tag, when, example, near_miss, rest=""):
    global N
    N += 1
    print(
        f"[[rule]]\ncode = \"user_{N}\"\nname = \"rule {N}\"\ntag = \"{tag}\"\nwhen = {{ {when} }}\n"
        f"examples = '''\n{example}   #! {tag}/user_{N}\n{rest}'''\nnear_misses = '''\n{near_miss}\n'''\n"
    )


for program in ["git", "pip", "pytest", "sed", "cat", "grep", "find", "ls", "python", "echo"]:
    word = f"program = \"{program}\""
    rule("execution", f"{word}, argument = {{ regex = '(?i)special[_-]?thing' }}", f"run {program} special_thing -> 0: x", f"run {program} a -> 0: x")
    rule("execution", f"{word}, observation = {{ regex = '(?i)\\b(segmentation fault|out of memory {program})\\b' }}", f"run {program} a -> 1: Segmentation fault", f"run {program} a -> 0: fine")
for word in ["log", "install", "check", "diff", "status"]:
    rule("execution", f"subcommand = [\"{word}\", \"x{word}\"], text = {{ regex = 'I (will|should) (first )?{word}' }}", f"run zz {word} -> 0: x", f"run zz {word} -> 0: x", f"| I will {word}\n")
for n in range(10):
    rule("exploration", f"path = {{ glob = 'docs/**/part{n}*.md' }}", f"run cat docs/a/part{n}b.md -> 0: x", "run cat docs/a/other.md -> 0: x")
for n in range(5):
    rule("network", f"host = {{ regex = '(^|\\.)h{n}\\.example\\.com$' }}", f"run curl -s https://a.h{n}.example.com/x -> 0: x", "run curl -s https://example.com/x -> 0: x")
    rule("execution", f"argument = {{ regex = '^--secret-{n}=[a-z]+$' }}", f"run foo --secret-{n}=abc -> 0: x", "run foo --secret -> 0: x")
    rule("exploration", f"tool = {{ prefix = \"lookup{n}_\" }}, none = [{{ observation = {{ regex = 'not found' }} }}]", f"tool@lookup{n}_x a -> ok: b", f"tool@lookup{n}_x a -> ok: not found")
