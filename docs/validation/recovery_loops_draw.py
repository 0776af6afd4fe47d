"""Draws runs to be read for loops and recovery: `recovery_loops_draw.py TRAJECTORIES FLAGS`. Both files are CSV written by
`ethogram query`: runs (trajectory_id, arm, file, place, n_model_turns, n_calls, superseded_by), and one row for each event
or loop (trajectory_id). Sixty are drawn by archive; then others without any event or loop until forty of these are read.
"""

import csv
import random
import sys

SEED = 20261201
QUOTAS = {
    "swebench-lite--coder": 6,
    "swebench-verified--claude-4-sonnet": 3,
    "swebench-verified--gemini-3-pro": 5,
    "swebench-verified--gpt-5-mini": 4,
    "swebench-verified--sweagent-lm-32b": 6,
    "swebench-java--deepseek-chat-v2": 1,
    "swebench-java--deepseek-coder-v2": 2,
    "swebench-java--doubao-pro-128k": 2,
    "swebench-java--gpt-4o-2024-05-13": 1,
    "swebench-java--gpt-4o-mini-2024-07-18": 2,
    "harbor--predev-tb2": 5,
    "harbor--openclaw-glm5-tb2": 3,
    "harbor--harbor-golden-atif": 1,
    "openhands--openhands-v0": 2,
    "openhands--openhands-v1": 1,
    "terminus--terminus2-prompt-response-snapshots": 2,
    "tau-bench--tau-bench-gpt4o-airline": 3,
    "claude-code--claude-code-sessions": 2,
    "claude-code--claude-stream-json-in-logs": 2,
    "cli-agents--pi-gemini-opencode-cline-copilot": 2,
    "codex--codex-logs": 2,
    "swe-samples--mini-repo": 1,
    "swe-samples--swe-agent-repo": 1,
    "nemo-gym--nemo-gym-rollouts": 1,
}
OTHERS = 40
A_MODEL_TURN = 1


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main(trajectories, flags):
    flagged = {row["trajectory_id"] for row in rows(flags)}
    by_archive = {}
    for row in rows(trajectories):
        turns, calls = int(row["n_model_turns"] or 0), int(row["n_calls"] or 0)
        if turns >= A_MODEL_TURN and calls > 0 and not row["superseded_by"]:
            by_archive.setdefault(row["arm"], []).append(row)
    chance = random.Random(SEED)
    drawn = []
    for archive, quota in QUOTAS.items():
        held = sorted(by_archive[archive], key=lambda row: (row["file"], row["place"]))
        drawn.extend(chance.sample(held, min(quota, len(held))))
    taken = {row["trajectory_id"] for row in drawn}
    unflagged = sum(row["trajectory_id"] not in flagged for row in drawn)
    # One archive after the other, so that the many short logs of one do not fill the rest.
    left = {}
    for archive in QUOTAS:
        held = [row for row in by_archive[archive] if row["trajectory_id"] not in flagged | taken]
        held.sort(key=lambda row: (row["file"], row["place"]))
        chance.shuffle(held)
        left[archive] = held
    while unflagged < OTHERS and any(left.values()):
        for held in left.values():
            if held and unflagged < OTHERS:
                drawn.append(held.pop())
                unflagged += 1
    # Shuffled, so that the place in the list does not say which were drawn for having no flag.
    chance.shuffle(drawn)
    for row in drawn:
        print(row["trajectory_id"], row["arm"], row["n_model_turns"], row["file"], row["place"], sep="\t")


main(*sys.argv[1:])
