import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DescribeAvailabilityZonesCommand, EC2Client } from "@aws-sdk/client-ec2";
import { ElasticLoadBalancingV2Client } from "@aws-sdk/client-elastic-load-balancing-v2";
import { IAMClient } from "@aws-sdk/client-iam";
import type { PulumiCommand, Stack } from "@pulumi/pulumi/automation";
import { stringify } from "yaml";
import { withServerAddress } from "../../cli/configFiles/withServerAddress";
import { shownStack } from "../../cli/engine/shownStack";
import { planStackRepair } from "../../cli/repair/repairStack";
import { program } from "../../environments/program";
import { serverHost } from "../kubeconfigAccess";
import { openStack } from "../openStack";
import { leftovers, liveInstances } from "./leftovers";
import type { SmokeCase } from "./smokeCase";
import type { SmokeSettings, SmokeWorld } from "./smokeStep";

const execute = promisify(execFile);
const silent = () => undefined;

/** What a smoke test works with. */
export interface SmokeWorldOptions {
  readonly case: SmokeCase;
  readonly engine: PulumiCommand;
  readonly talosctl: string;
  /** For the state, and the cluster's access; in the checkout. */
  readonly stateDir: string;
}

/** Opens the account of this process' environment, and the stack on a state of its own. */
export async function openSmokeWorld(options: SmokeWorldOptions): Promise<SmokeWorld> {
  const { region, cluster, zones } = options.case;
  const clients = {
    ec2: new EC2Client({ region }),
    loadBalancing: new ElasticLoadBalancingV2Client({ region }),
    iam: new IAMClient({ region }),
  };
  const open = (settings: SmokeSettings = {}) =>
    openStack({
      stack: options.case.stack,
      program,
      engine: options.engine,
      stateDir: options.stateDir,
      environment: {},
      settings: stringify({ config: settingsWith(options.case, settings) }),
    });
  return {
    ec2: clients.ec2,
    zones,
    otherZone: await otherZone(clients.ec2, zones),
    open,
    up: async (settings, { refresh = false } = {}) => {
      await shownStack(await open(settings)).up({ refresh, onOutput: silent });
    },
    destroy: async () => {
      const stack = await open();
      await stack.cancel().catch(silent);
      const { apply, steps } = await planStackRepair(stack);
      if (steps.length > 0) {
        await apply({ onOutput: silent, color: "never" });
      }
      await shownStack(stack).destroy({ onOutput: silent });
    },
    preview: async (settings) => previewSteps(await open(settings)),
    command: async (name, ...args) => commandOf(await open(), options, name, args),
    instances: () => liveInstances(clients.ec2, cluster),
    leftovers: () => leftovers(clients, cluster),
  };
}

function settingsWith(
  { config, zones }: SmokeCase,
  { zones: other = zones, instanceType }: SmokeSettings,
): Record<string, unknown> {
  const network = config["talos-aws:network"] as Record<string, unknown>;
  const controlPlane = (config["talos-aws:controlPlane"] ?? {}) as Record<string, unknown>;
  return {
    ...config,
    "talos-aws:network": { ...network, zones: other },
    ...(instanceType !== undefined && {
      "talos-aws:controlPlane": { ...controlPlane, instanceType },
    }),
  };
}

async function otherZone(ec2: EC2Client, zones: readonly string[]): Promise<string> {
  const { AvailabilityZones = [] } = await ec2.send(
    new DescribeAvailabilityZonesCommand({
      Filters: [{ Name: "zone-type", Values: ["availability-zone"] }],
    }),
  );
  const names = AvailabilityZones.map(({ ZoneName = "" }) => ZoneName).sort();
  const other = names.find((name) => !zones.includes(name));
  if (other === undefined) {
    throw new Error(
      `the region has no zone besides ${zones.join(", ")}: name fewer in the settings`,
    );
  }
  return other;
}

async function previewSteps(stack: Stack): Promise<readonly string[]> {
  const steps: string[] = [];
  await stack.preview({
    onOutput: silent,
    onEvent: ({ resourcePreEvent }) => {
      const { op = "same", type = "", urn = "" } = resourcePreEvent?.metadata ?? {};
      if (op !== "same" && op !== "read") {
        steps.push(`${op} ${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`);
      }
    },
  });
  return steps.sort();
}

/** Its access is written anew each time, as a machine's address changes when it is stopped. */
async function commandOf(
  stack: Stack,
  { stateDir, talosctl }: SmokeWorldOptions,
  name: "talosctl" | "kubectl",
  args: readonly string[],
): Promise<string> {
  const outputs = await stack.outputs();
  const kubeconfig = String(outputs.kubeconfig?.value);
  const { address } = await lookup(serverHost(kubeconfig));
  const files = { KUBECONFIG: join(stateDir, "kubeconfig"), TALOSCONFIG: join(stateDir, "talos") };
  await writeFile(files.KUBECONFIG, withServerAddress(kubeconfig, address), { mode: 0o600 });
  await writeFile(files.TALOSCONFIG, String(outputs.talosconfig?.value), { mode: 0o600 });
  const nodes = outputs.nodes?.value as readonly { readonly publicAddress: string }[];
  const target = name === "talosctl" ? ["--nodes", nodes[0]?.publicAddress ?? ""] : [];
  const { stdout } = await execute(name === "talosctl" ? talosctl : name, [...target, ...args], {
    env: { ...process.env, ...files },
  });
  return stdout;
}
