import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
[ "$1" = build ] || exit 0
echo build >> "${folder}/builds"
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

  it("builds a program once, also for several that want it at the same time", async () => {
    const target = join(folder, "bin/program");
    const program = { target, package: "example.com/program", requires: {} };
    const told: string[] = [];
    await Promise.all([1, 2, 3].map(() => goBuild(program, (line) => told.push(line))));
    await goBuild(program, (line) => told.push(line));
    expect(readFileSync(target, "utf8")).toBe("program\n");
    expect(readFileSync(join(folder, "builds"), "utf8")).toBe("build\n");
    expect(told).toHaveLength(2);
  });
});
