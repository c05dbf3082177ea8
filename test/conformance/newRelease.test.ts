import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");
const program = join(root, "dist/scripts/adopt.js");
const changed = () => execFileSync("git", ["status", "--short"], { cwd: root, encoding: "utf8" });
const adopt = (...words: string[]) =>
  spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });

// With Go, as `npm run conformance` has it: it builds what describes a release.
describe.skipIf(process.env.TALOS_ORACLES === undefined)("npm run adopt", () => {
  it(
    "reports v1.14.1 as if it were new, and leaves the checkout as it is",
    { timeout: 1_800_000 },
    () => {
      const before = changed();
      const { status, stdout, stderr } = adopt("v1.14.1", "--since", "v1.13.9", "--report-only");
      expect(stderr).toContain("comparing");
      expect(status).toBe(0);
      expect(stdout).toMatch(/^# Talos v1\.14\.1, compared with v1\.13\.9\n/);
      expect(stdout).not.toContain("What could not be done");
      expect(stdout).toContain("The kind `KubePrismConfig` is new");
      expect(stdout).toContain("The service `sandboxd` is new");
      expect(stdout).toContain("The method `machine.LVMService.VolumeGroupRemove` is new");
      expect(stdout).toContain("v1alpha1_server.go`: ");
      // The former contract stays as the package writes it.
      expect(stdout).not.toContain("what the package writes, and what Talos v1.14.1 writes");
      expect(stdout).toContain("contract v1.13 and contract v1.14, both by Talos v1.14.1");
      expect(changed()).toBe(before);
    },
  );

  it(
    "writes what the repository has, from the release that it has it from",
    { timeout: 1_800_000 },
    () => {
      const before = changed();
      const { status, stdout } = adopt("v1.14.1", "--since", "v1.13.9");
      expect(status).toBe(0);
      expect(stdout).toContain("## Generated files\n\nNone was written.");
      expect(changed()).toBe(before);
    },
  );

  it(
    "says of a release that nobody has what to do, and changes nothing",
    { timeout: 120_000 },
    () => {
      const before = changed();
      const { status, stderr } = adopt("v1.14.999");
      expect(status).toBe(1);
      expect(stderr).toContain(
        "error: Talos v1.14.999 can't be had as a Go module, and nothing was changed. Choose a release that",
      );
      expect(changed()).toBe(before);
    },
  );
});
