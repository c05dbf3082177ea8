import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { goBuild } from "./goBuild";
import { goSums } from "./goSums";
import type { StepLog } from "./runStep";

const run = promisify(execFile);

/** The release whose behaviour the conformance tests compare with. */
const TALOSCTL_VERSION = "v1.12.1";

/**
 * A real `talosctl`: the one on PATH if it is of this version, else one built before, else built
 * from source with Go.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureTalosctl(cacheDir: string, log: StepLog): Promise<string> {
  const onPath = await run("talosctl", ["version", "--client", "--short"]).catch(() => undefined);
  if (onPath?.stdout.includes(TALOSCTL_VERSION)) {
    return "talosctl";
  }
  const target = join(cacheDir, `talosctl-${TALOSCTL_VERSION}`, "talosctl");
  if (existsSync(target)) {
    return target;
  }
  log.say(`building ${TALOSCTL_VERSION} with Go (two to five minutes, once) …`);
  const talos = "github.com/siderolabs/talos";
  const program = {
    target,
    package: `${talos}/cmd/talosctl`,
    requires: { [talos]: TALOSCTL_VERSION, [`${talos}/pkg/machinery`]: TALOSCTL_VERSION },
    sums: goSums(talos, TALOSCTL_VERSION),
    // Those of its go.mod (v1.12.1) that it doesn't build without; Go ignores them in a dependency.
    replaces: {
      "cloud.google.com/go": "cloud.google.com/go v0.100.2",
      "github.com/coredns/coredns": "github.com/siderolabs/coredns v1.12.54",
      "github.com/mdlayher/ethtool": "github.com/siderolabs/ethtool v0.4.0-sidero",
      "github.com/mdlayher/kobject": "github.com/smira/kobject v0.0.0-20240304111826-49c8d4613389",
    },
  };
  await goBuild(program, log);
  return target;
}
