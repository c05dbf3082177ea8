import { parse } from "yaml";

/** The stack that is tried, from its settings file. */
export interface SmokeCase {
  readonly stack: string;
  /** Name of the cluster: what AWS has of it is named so. */
  readonly cluster: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Reads what a smoke test is about.
 *
 * @param text of the stack's settings file
 * @throws Error with all that keeps this stack from being tried
 */
export function smokeCase(stack: string, text: string): SmokeCase {
  const { config = {} } = parse(text) as { config?: Record<string, unknown> };
  const dns = (config["talos-aws:dns"] ?? {}) as { createZone?: boolean };
  const network = (config["talos-aws:network"] ?? {}) as { zones?: string[] };
  const zones = network.zones ?? [];
  const textOf = (name: string, otherwise = "") => {
    const value = config[name];
    return typeof value === "string" ? value : otherwise;
  };
  const problems = [
    ...(stack === "sandbox"
      ? []
      : [
          `"${stack}" can't be tried: its machines are many or guarded; the smoke test is for sandbox`,
        ]),
    ...(dns.createZone === true
      ? [
          "dns.createZone is on: the new zone's names resolve only after you delegate to it; remove it, and create a hosted zone of the domain in the account",
        ]
      : []),
    ...(zones.length === 1 ? [] : [`network.zones must name one zone, not ${zones.length}`]),
  ];
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
  return {
    stack,
    cluster: textOf("talos-aws:environment", stack),
    region: textOf("aws:region"),
    zones,
    config,
    versions: {
      Talos: textOf("talos-aws:talosVersion"),
      Kubernetes: textOf("talos-aws:kubernetesVersion"),
    },
  };
}
