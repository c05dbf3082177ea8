import { homedir } from "node:os";
import { join } from "node:path";

/** Where the lab keeps its nodes; see its README. */
const CACHE = process.env.KUBERNETES_LAB_CACHE ?? join(homedir(), ".cache/kubernetes-lab");

/** The folder of this computer that a node has as `/var`. */
export function varOf(name: string): string {
  return join(CACHE, "nodes", name, "var");
}
