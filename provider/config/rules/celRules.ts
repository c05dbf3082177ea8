import type { Path } from "../path";
import { celVariables } from "../schema/celSyntax";
import { suggest } from "../suggestion";
import type { DocumentView } from "./documentView";

const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "kB", "MB", "GB", "TB", "PB", "EB"];
const classes = ["Besteffort", "Burstable", "Guaranteed", "Podruntime", "System"];
const pressures = ["some", "full"].flatMap((share) =>
  ["avg10", "avg60", "avg300", "total"].map((span) => `memory_${share}_${span}`),
);
const usages = ["memory_current", "memory_peak", "memory_max"];

/**
 * The variables of expressions, by their subject. Source: pkg/machinery/cel/celenv, Talos v1.10.6
 * to v1.14.1; the union of all of them.
 */
const variables = {
  disks: ["disk", "system_disk", ...units],
  volumes: ["volume", "disk", ...units],
  members: ["volume", "disk", "volume_id", "system_disk", ...units],
  links: ["link"],
  memory: [
    ...pressures.flatMap((name) => [name, `d_${name}`, `qos_${name}`, `d_qos_${name}`]),
    ...usages.flatMap((name) => [`qos_${name}`, `d_qos_${name}`]),
    "time_since_trigger",
    ...units,
    ...classes,
  ],
  cgroups: [...usages, "path", "class", ...units, ...classes],
};

/** Reports unknown variables in the CEL expression at a path. */
export function checkCelVariables(
  view: DocumentView,
  path: Path,
  subject: keyof typeof variables,
): void {
  const known = variables[subject];
  for (const name of celVariables(view.text(...path) ?? "").filter(
    (used) => !known.includes(used),
  )) {
    const near = suggest(name, known);
    const advice =
      near === undefined
        ? `an expression about ${subject} can use ${known.filter((other) => /^[a-z_]+$/.test(other)).join(", ")}`
        : `did you mean "${near}"?`;
    view.report(path, `there is no variable "${name}": ${advice}`);
  }
}
