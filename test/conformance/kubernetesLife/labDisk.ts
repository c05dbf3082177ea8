import { homedir } from "node:os";
import { join } from "node:path";
import { LAB } from "../support/labRelease";

/** Where the lab keeps its nodes, a folder for each Talos; see its README. */
const CACHE =
  process.env.KUBERNETES_LAB_CACHE ??
  join(homedir(), `.cache/kubernetes-lab${LAB.isDefault ? "" : `-${LAB.talos}`}`);

/** The folder of this computer that a node has as `/var`. */
export function varOf(name: string): string {
  return join(CACHE, "nodes", name, "var");
}
