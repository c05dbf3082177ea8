import type { CallOptions, TalosClient } from "../../api/talosClient";
import { describeRefused, refusedAtBoot } from "../../config/bootValidation";
import type { ConfigDocument } from "../../config/machineConfig";
import { etcdMinorOf, etcdWayBackProblem } from "../../config/releases/etcdRelease";
import { decodeDocuments } from "../../config/yaml/encode";
import { readMachineConfig } from "../delivery/machineConfigs";
import { lookAtEtcdMembers, lookBeforeRestart } from "../etcd/lookAtEtcdMembers";
import { unlessSilent } from "../silence";

/** etcd's calls hang while it has no leader. */
const LOOK_TIMEOUT_MS = 5_000;

/** The releases of a change of Talos. */
export interface TalosStep {
  /** What the machine runs: `v1.13.9`. */
  readonly running: string;
  readonly next: string;
}

/**
 * Why a machine can't have another Talos with what it keeps. That Talos would refuse its
 * configuration when it boots, or can't use the data of its etcd. Undefined if it can.
 *
 * @param imagesFollow whether images that the next Talos doesn't support change before it
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function upgradeProblem(
  client: TalosClient,
  { running, next }: TalosStep,
  imagesFollow: boolean,
  call: CallOptions,
): Promise<string | undefined> {
  const text =
    (await readMachineConfig(client, "persistent", call)) ??
    (await readMachineConfig(client, "v1alpha1", call));
  const documents = decodeDocuments(text ?? "");
  const refused = refusedAtBoot(documents, running, next, { imagesFollow });
  if (refused.length > 0) {
    return describeRefused(refused, running, next);
  }
  return etcdProblem(client, documents, next, call);
}

/** Why a control plane machine's etcd can't go back. A silent etcd is not judged. */
async function etcdProblem(
  client: TalosClient,
  documents: readonly ConfigDocument[],
  next: string,
  call: CallOptions,
): Promise<string | undefined> {
  const minor = etcdMinorOf(documents, next);
  if (minor === undefined) {
    return undefined;
  }
  const status = await unlessSilent(client.etcdStatus({ ...call, timeoutMs: LOOK_TIMEOUT_MS }));
  return status && etcdWayBackProblem(status.storageVersion, minor, next);
}

/**
 * What speaks against the restart of a machine for another Talos; empty on a worker. Talos itself
 * refuses with two members of etcd, because either one alone has no majority (v1.14.1,
 * `ValidateForUpgrade`). This does the same for machines that don't ask etcd any more.
 *
 * @param mayBeUnwell whether the machine's own etcd may be what the restart repairs
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function lookBeforeUpgrade(
  client: TalosClient,
  mayBeUnwell: boolean,
  call: CallOptions,
): Promise<readonly string[]> {
  const { signal } = call;
  const etcd = (await client.services(call)).find(({ id }) => id === "etcd");
  if (etcd === undefined || signal === undefined) {
    return [];
  }
  const problems = await (mayBeUnwell ? lookBeforeRestart : lookAtEtcdMembers)(client, signal);
  if (problems.length > 0 || !etcd.healthy) {
    return problems;
  }
  const members = await client.etcdMembers({ ...call, timeoutMs: LOOK_TIMEOUT_MS });
  return members.length === 2
    ? ["etcd has two members, and no majority without either: add a third, or remove one"]
    : [];
}
