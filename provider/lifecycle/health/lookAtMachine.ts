import type { CallOptions, TalosClient } from "../../api/talosClient";
import { printable } from "../../base/printable";
import { unlessSilent } from "../silence";
import { readConfigurationFacts, readControllerFacts, readLines } from "./controllerFacts";
import { findStorageFault } from "./findStorageFault";
import { type ControllerVerdict, judgeControllers } from "./judgeControllers";
import { judgeMachine, type MachineVerdict } from "./judgeMachine";
import { judgeImages } from "./judgeRendering";
import type { ContainerCrash } from "./judgeStaticPods";
import { type MachineFacts, readMachineFacts } from "./machineFacts";
import { PullWatch } from "./pullWatch";

/** How many last lines of a crashed container's log are read, and how many are quoted. */
const LOG_TAIL = 40;
const QUOTED_LINES = 3;

/** A cause that is late must not hide what else is known. */
const CAUSE_MS = 5_000;

/** How much of a line is quoted. */
const LONGEST_LINE = 400;

/** A machine at one moment. */
export interface MachineLook {
  readonly facts: MachineFacts;
  readonly verdict: MachineVerdict;
  /** The problems of a configuration that the machine has accepted, and Talos not applied. */
  readonly unapplied: readonly string[];
}

/**
 * Asks a machine for its state, and judges it. Logs are read only if they can name the reason:
 * - of Talos' controllers, if the machine looks healthy or something is not rendered,
 * - of a static pod's container, if that has ended,
 * - of an image's pull, if a service waits for it.
 *
 * The disk of a machine with a problem is judged too: only logs tell of files that can't be written.
 *
 * @param pulls what earlier looks of the same wait have found. Default: this is the only one
 * @throws TalosApiError if it doesn't answer or refuses
 */
export async function lookAtMachine(
  client: TalosClient,
  call: CallOptions,
  pulls = new PullWatch(),
): Promise<MachineLook> {
  const facts = await readMachineFacts(client, call);
  const judged = judgeMachine(facts);
  const causes =
    judged.problems.length === 0 ? [] : await readCauses(client, facts, { pulls, call });
  const verdict = { ...judged, problems: [...causes, ...judged.problems] };
  const { problems, unrendered, crashes } = verdict;
  if (facts.status.stage !== "running") {
    return { facts, verdict, unapplied: canRender(facts) ? unrendered : [] };
  }
  const isSuspect = problems.length === 0 || unrendered.length > 0;
  const controllers = isSuspect ? await readControllerFacts(client, call) : undefined;
  const { problems: failures, doubts } = controllers ? judgeControllers(controllers) : NO_FAILURES;
  const otherImages = controllers ? judgeImages(controllers.images, facts.pods) : [];
  const ends = crashes.length === 0 ? [] : await readLastWords(client, crashes, call);
  return {
    facts,
    unapplied: [...failures, ...unrendered, ...otherImages],
    verdict: { ...verdict, problems: [...failures, ...problems, ...otherImages, ...ends], doubts },
  };
}

const NO_FAILURES: ControllerVerdict = { problems: [], doubts: [] };

/**
 * Whether Talos has what it renders from. It renders static pods only with a healthy etcd (Talos
 * v1.12.1, `k8s/control_plane_static_pod.go`), so not before the bootstrap, and late in a boot.
 */
function canRender({ services }: MachineFacts): boolean {
  const etcd = services.find(({ id }) => id === "etcd");
  return etcd === undefined || (etcd.state === "Running" && etcd.healthy);
}

/** What may be behind a machine's problems: a full disk, an image that can't be pulled. */
async function readCauses(
  client: TalosClient,
  { services }: MachineFacts,
  { pulls, call }: { readonly pulls: PullWatch; readonly call: CallOptions },
): Promise<string[]> {
  const soon = { ...call, timeoutMs: CAUSE_MS };
  const [storage, errors] = await Promise.all([
    findStorageFault(client, soon),
    pulls.read(client, services, soon),
  ]);
  const causes = storage === undefined ? [] : [storage];
  if (errors.length === 0) {
    return causes;
  }
  const { conceal } = await readConfigurationFacts(client, call);
  return [...causes, ...errors.map((error) => shorten(conceal(error)))];
}

/**
 * The last lines of containers that have ended. The kubelet reports only an exit code, unless the
 * program writes a message for it. No component of Kubernetes does.
 */
async function readLastWords(
  client: TalosClient,
  crashes: readonly ContainerCrash[],
  call: CallOptions,
): Promise<string[]> {
  const { conceal } = await readConfigurationFacts(client, call);
  return Promise.all(
    crashes.map(async ({ name, logId }) => {
      const request = { id: logId, namespace: "kubernetes", tailLines: LOG_TAIL } as const;
      const lines =
        (await unlessSilent(readLines(client, request, { ...call, timeoutMs: CAUSE_MS }))) ?? [];
      const said = lines
        .map((line) => line.replace(CRI_PREFIX, "").trim())
        .filter((line) => line !== "")
        .slice(-QUOTED_LINES)
        .map((line) => shorten(conceal(line)));
      const command = `talosctl logs --kubernetes ${logId}`;
      return said.length === 0
        ? `the log of ${name} can't be read: try "${command}"`
        : `the log of ${name} ends with ${said.map((line) => JSON.stringify(line)).join(", ")} ("${command}" shows all)`;
    }),
  );
}

function shorten(line: string): string {
  return printable(line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`);
}

/** What the container runtime writes before each line: the time, the stream, whether it is whole. */
const CRI_PREFIX = /^\S+ (?:stdout|stderr) [FP] /;
