const CONTEXT_LINES = 3;

interface Edit {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

/**
 * The unified diff of two texts with three lines of context, between `--- a` and `+++ b` as Talos
 * prints it; empty for equal texts.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) {
    return "";
  }
  const edits = editsOf(linesOf(before), linesOf(after));
  const hunks = hunksOf(edits).map(([start, end]) => renderHunk(edits, start, end));
  return ["--- a", "+++ b", ...hunks, ""].join("\n");
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") {
    lines.pop();
  }
  return lines;
}

/**
 * The shortest edit, by the longest common subsequence of the parts between equal heads and tails.
 */
function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) {
    head += 1;
  }
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const keep = (lines: readonly string[]): Edit[] => lines.map((line) => ({ kind: " ", line }));
  return [
    ...keep(before.slice(0, head)),
    ...middleEdits(
      before.slice(head, before.length - tail),
      after.slice(head, after.length - tail),
    ),
    ...keep(before.slice(before.length - tail)),
  ];
}

function middleEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const width = after.length + 1;
  // common[i * width + j]: length of the longest common subsequence of before[i…] and after[j…].
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, new_] = [before[i], after[j]];
    if (old !== undefined && old === new_) {
      edits.push({ kind: " ", line: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (new_ === undefined || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ kind: "-", line: old });
      i += 1;
    } else if (new_ !== undefined) {
      edits.push({ kind: "+", line: new_ });
      j += 1;
    }
  }
  return edits;
}

/** Ranges of edits to show: changes with their context; near ones are joined. */
function hunksOf(edits: readonly Edit[]): [start: number, end: number][] {
  const hunks: [number, number][] = [];
  edits.forEach((edit, index) => {
    if (edit.kind === " ") {
      return;
    }
    const start = Math.max(0, index - CONTEXT_LINES);
    const end = Math.min(edits.length, index + 1 + CONTEXT_LINES);
    const last = hunks.at(-1);
    if (last && start <= last[1]) {
      last[1] = end;
    } else {
      hunks.push([start, end]);
    }
  });
  return hunks;
}

function renderHunk(edits: readonly Edit[], start: number, end: number): string {
  const count = (kinds: string, from: number, to: number) =>
    edits.slice(from, to).filter(({ kind }) => kinds.includes(kind)).length;
  const range = (kinds: string) => {
    const length = count(kinds, start, end);
    const first = count(kinds, 0, start) + (length > 0 ? 1 : 0);
    return length === 1 ? `${first}` : `${first},${length}`;
  };
  return [
    `@@ -${range(" -")} +${range(" +")} @@`,
    ...edits.slice(start, end).map(({ kind, line }) => `${kind}${line}`),
  ].join("\n");
}
