import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMER_RELEASES, NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { eventually } from "../emulator/support/eventually";
import { LocalRuns } from "../engine/support/localRuns";

const page = readFileSync(join(__dirname, "../../docs/guides/local.md"), "utf8");

describe("npm run local", () => {
  const local = new LocalRuns();

  afterAll(() => local.close());

  it.each([
    ["while the cloud starts", "The embedded cloud runs"],
    ["while a machine is configured", "ConfigurationApply local-control-plane-1 created"],
  ])("leaves nothing behind when it is interrupted %s", async (_when, text) => {
    const { child, exit, until } = local.start("local");
    await until(text);
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    expect(existsSync(local.folder)).toBe(false);
    await eventually(() => expect(local.processes()).toEqual([]));
    expect(readdirSync(local.temporary)).toEqual([]);
  });

  it("shows an upgrade, as its page has it", async () => {
    const { code, output } = await local.finish("local", "upgrade");
    expect(code).toBe(0);
    const [former, newest] = [FORMER_RELEASES, NEWEST_RELEASES];
    const start = `Creating a cluster with Talos ${former.talosVersion} and Kubernetes ${former.kubernetesVersion} …`;
    const plan = `for Talos ${former.talosVersion} → ${newest.talosVersion}`;
    for (const line of [start, plan]) {
      expect(output).toContain(line);
      expect(page).toContain(line);
    }
    expect(
      output.match(/ConfigurationApply local-control-plane-\d updated: healthy/g),
    ).toHaveLength(3);
    expect(output).toContain("KubernetesUpgrade local-kubernetes updated: upgraded and healthy");
    expect(output).toContain(`version   Kubernetes ${newest.kubernetesVersion}`);
  });

  it("keeps the contract that such a cluster was made with", async () => {
    const { code, output } = await local.finish("local");
    expect(output).toContain("There is nothing to update.");
    expect(code).toBe(0);
  });
});
