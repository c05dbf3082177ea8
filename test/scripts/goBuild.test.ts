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
import { OLDEST_VERSION, PULUMI_VERSION } from "../../scripts/ensurePulumi";
import { goBuild } from "../../scripts/goBuild";
import { GO_SUMS, goSums } from "../../scripts/goSums";

describe("goBuild", () => {
  let folder: string;
  const { PATH } = process.env;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-go-"));
    // A Go that notes each of its builds, and takes a moment for it.
    writeFileSync(
      join(folder, "go"),
      `#!/bin/sh
if [ "$1" = mod ]; then
  mkdir -p "${folder}/source" && echo 'example.com/other v1.0.0 h1:b=' > "${folder}/source/go.sum"
  cat go.sum > "${folder}/known" && echo '{"Dir":"${folder}/source"}'
fi
if [ "$1" = list ]; then
  cp go.sum "${folder}/sums"
  [ -f "${folder}/unpinned" ] && echo 'example.com/unpinned v1.0.0 h1:c=' >> go.sum
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
    const program = { target, package: "example.com/program", requires: {}, sums: [] };
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

  it("pins each module by its hash, and builds nothing of one without", async () => {
    const target = join(folder, "bin/program");
    const pin = "example.com/module v1.0.0 h1:a=";
    const program = {
      target,
      package: "example.com/program",
      requires: { "example.com/module": "v1.0.0" },
      sums: [pin],
    };
    const log = { say: () => undefined, at: () => undefined };
    writeFileSync(join(folder, "unpinned"), "");
    await expect(goBuild(program, log)).rejects.toThrow(
      /aren't pinned, so nothing was built: .*\nexample\.com\/unpinned v1\.0\.0 h1:c=$/,
    );
    expect(readFileSync(join(folder, "known"), "utf8")).toBe(`${pin}\n`);
    expect(readFileSync(join(folder, "sums"), "utf8")).toBe(
      `${pin}\nexample.com/other v1.0.0 h1:b=\n`,
    );
    expect(readdirSync(join(folder, "bin"))).toEqual([]);
    rmSync(join(folder, "unpinned"));
    await goBuild(program, log);
    expect(readFileSync(target, "utf8")).toBe("program\n");
  });

  it("knows the hash of each tool, in the form of Go", () => {
    for (const module of Object.keys(GO_SUMS)) {
      const [path = "", version = ""] = module.split("@");
      const sums = goSums(path, version);
      expect(sums.filter((line) => !/^\S+ v\S+ h1:[A-Za-z0-9+/]{43}=$/.test(line))).toEqual([]);
      expect(sums[0]).toContain(`${path} ${version} h1:`);
      expect(sums[1]).toContain(`${path} ${version}/go.mod h1:`);
    }
    for (const version of [PULUMI_VERSION, OLDEST_VERSION]) {
      expect(goSums("github.com/pulumi/pulumi/pkg/v3", `v${version}`).length).toBeGreaterThan(1);
    }
    expect(() => goSums("example.com/a", "v1.0.0")).toThrow("isn't pinned");
  });

  it("reports why a build failed, without progress, and removes older builds' leftovers", async () => {
    writeFileSync(join(folder, "broken"), "");
    mkdirSync(join(folder, "bin/go-build-killed"), { recursive: true });
    const target = join(folder, "bin/program");
    const program = { target, package: "example.com/program", requires: {}, sums: [] };
    const log = { say: () => undefined, at: () => undefined };
    await expect(goBuild(program, log)).rejects.toThrow(
      /^go build failed in \S+:\n# example\.com\/program\nmain\.go:1:1: it is broken$/,
    );
    expect(readdirSync(join(folder, "bin"))).toEqual([]);
  });
});
