// Reads fleet.yaml, and refuses what would fail later or in silence.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Of Kubernetes' names; Pulumi's stacks allow more. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,51}[a-z0-9])?$/;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const TEXTS = ["repository", "branch", "folder", "backend", "image", "namespace"];

/**
 * The fleet in a file.
 *
 * @throws Error that lists all problems
 */
export function readFleet(file) {
  const fleet = parse(readFileSync(file, "utf8")) ?? {};
  const clusters = Object.entries(fleet.clusters ?? {}).map(([name, { role, after = [] }]) => ({
    name,
    role,
    after,
  }));
  const problems = [
    ...TEXTS.filter((name) => typeof fleet[name] !== "string").map((name) => `${name}: is missing`),
    ...(clusters.length === 0 ? ["clusters: there is none"] : []),
    ...clusters.flatMap((cluster) => problemsOf(cluster, clusters)),
  ];
  if (problems.length > 0) {
    throw new Error(`${file}:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
  }
  return { ...fleet, clusters };
}

function problemsOf({ name, role, after }, clusters) {
  const unknown = after.filter((other) => !clusters.some((cluster) => cluster.name === other));
  return [
    ...(NAME.test(name)
      ? []
      : [`clusters: "${name}" has other characters than a-z, 0-9 and "-", or over 53 of them`]),
    ...(ROLE.test(role)
      ? []
      : [`clusters.${name}.role: "${role}" is not the ARN of an IAM role, arn:aws:iam::…:role/…`]),
    ...unknown.map((other) => `clusters.${name}.after: there is no cluster "${other}"`),
    ...(waitsFor(name, after, clusters) ? [`clusters.${name}.after: it waits for itself`] : []),
  ];
}

function waitsFor(name, after, clusters, seen = new Set()) {
  return after.some((other) => {
    if (other === name) {
      return true;
    }
    if (seen.has(other)) {
      return false;
    }
    seen.add(other);
    const next = clusters.find((cluster) => cluster.name === other)?.after ?? [];
    return waitsFor(name, next, clusters, seen);
  });
}
