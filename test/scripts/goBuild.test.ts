import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { goBuild } from "../../scripts/goBuild";

describe("goBuild", () => {
  let folder: string;
  const { PATH } = process.env;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-go-"));
    // A Go that notes each of its builds, and takes a moment for it.
    writeFileSync(
      join(folder, "go"),
      `#!/bin/sh
if [ "$1" = list ]; then
  echo "go: downloading example.com/module v1.0.0" >&2
  printf 'example.com/module\\nexample.com/program\\n'
fi
[ "$1" = build ] || exit 0
echo build >> "${folder}/builds"
echo example.com/module >&2
[ -f "${folder}/broken" ] && { echo '# example.com/program' >&2; echo 'main.go:1:1: it is broken' >&2; exit 1; }
echo example.com/program >&2
sleep 0.3
while [ "$1" != -o ]; do shift; done
echo program > "$2"
`,
    );
    chmodSync(join(folder, "go"), 0o755);
    process.env.PATH = `${folder}${delimiter}${PATH ?? ""}`;
  });

  afterEach(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true, force: true });
  });

  it("builds a program once, also for several callers at the same time", async () => {
    const target = join(folder, "bin/program");
    const program = { target, package: "example.com/program", requires: {} };
    const told: string[] = [];
    const states: string[] = [];
    const log = {
      say: (line: string) => void told.push(line),
      at: (state: string) => void states.push(state),
    };
    await Promise.all([1, 2, 3].map(() => goBuild(program, log)));
    await goBuild(program, log);
    expect(readFileSync(target, "utf8")).toBe("program\n");
    expect(readFileSync(join(folder, "builds"), "utf8")).toBe("build\n");
    expect(told).toHaveLength(2);
    expect(states).toEqual([
      "asking for modules",
      "downloading module 1",
      "compiling package 1 of 2",
      "linking",
    ]);
  });

  it("reports why a build failed, without progress, and removes older builds' leftovers", async () => {
    writeFileSync(join(folder, "broken"), "");
    mkdirSync(join(folder, "bin/go-build-killed"), { recursive: true });
    const target = join(folder, "bin/program");
    const program = { target, package: "example.com/program", requires: {} };
    const log = { say: () => undefined, at: () => undefined };
    await expect(goBuild(program, log)).rejects.toThrow(
      /^go build failed in \S+:\n# example\.com\/program\nmain\.go:1:1: it is broken$/,
    );
    expect(readdirSync(join(folder, "bin"))).toEqual([]);
  });
});
