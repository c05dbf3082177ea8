import type { Progress } from "../../base/progress";
import type { ConfigDocument } from "../../config/machineConfig";
import { isNewerMinor } from "../../config/releases/kubernetesSkew";
import { joinDocuments } from "../../config/settings/fieldsOf";
import { textIn } from "../../config/settings/settingIn";
import { decodeDocuments } from "../../config/yaml/encode";
import { readMachineConfig } from "../delivery/machineConfigs";
import { isOnlyRemembered, namedMachines } from "../etcd/memberRegisters";
import { readDiscovered, readRegisters } from "../etcd/readRegisters";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";
import { changeImages } from "./changeImages";
import { tagOf } from "./controlPlaneImages";

/** The setting with the image of a machine's kubelet. */
const KUBELET_IMAGE = "machine.kubelet.image";

/** What part of the workers changes at a time: a kubelet's restart ends no pods. */
const SHARE_AT_A_TIME = 0.1;

/** A control plane whose API servers are about to go back. */
export interface KubeletsBefore {
  /** One of its machines: it knows the others, and forwards to them. */
  readonly machine: Machine;
  /** The image of the API servers to come. */
  readonly apiServer: string;
  readonly settledSeconds: number;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** A machine whose kubelet is too new. */
interface NewKubelet {
  readonly machine: Machine;
  readonly documents: readonly ConfigDocument[];
  readonly image: string;
  readonly isControlPlane: boolean;
}

/**
 * Gives kubelets of a newer minor the release of the API servers to come. A kubelet must not be
 * newer than an API server. It asks every machine of the cluster, also those of auto scaling
 * groups, and pulls all images first. Control plane machines change one after another, then
 * workers, some at a time. A silent machine only causes a warning.
 *
 * Source: Kubernetes, "Version Skew Policy", kubelet.
 *
 * @throws TalosApiError if an image can't be pulled, or a machine refuses
 * @throws WaitTimeoutError at the deadline, with the machine and what isn't healthy
 */
export async function lowerKubelets(before: KubeletsBefore): Promise<void> {
  const found = await findNewKubelets(before);
  const lowered = found.map((each) => ({ ...each, image: loweredImage(each.image, before) }));
  await Promise.all(
    lowered.map(({ machine, image }) =>
      withMachine(machine, (client) => client.imagePull({ namespace: "system", reference: image })),
    ),
  );
  const workers = lowered.filter(({ isControlPlane }) => !isControlPlane);
  const atATime = Math.max(1, Math.ceil(workers.length * SHARE_AT_A_TIME));
  for (const each of lowered.filter(({ isControlPlane }) => isControlPlane)) {
    await lower(each, before);
  }
  for (let first = 0; first < workers.length; first += atATime) {
    await Promise.all(workers.slice(first, first + atATime).map((worker) => lower(worker, before)));
  }
}

async function lower(
  { machine, documents, image }: NewKubelet,
  { settledSeconds, deadline, progress }: KubeletsBefore,
): Promise<void> {
  progress.report(`machine ${machine.node}: changes kubelet to ${image}, before the API servers`);
  const change = { machine, documents, images: [[KUBELET_IMAGE, image]] as const };
  await changeImages({ ...change, settledSeconds, deadline, progress });
}

async function findNewKubelets(before: KubeletsBefore): Promise<readonly NewKubelet[]> {
  const { machine, apiServer, progress } = before;
  const discovered = await withMachine(machine, (client) => readDiscovered(client));
  const registers = await readRegisters(machine);
  const looks = namedMachines(discovered, registers).map(async (named) => {
    const [node = ""] = named.addresses;
    const asked = { node, endpoint: machine.endpoint, credentials: machine.credentials };
    const text = await unlessSilent(
      withMachine(asked, (client) => readMachineConfig(client, "v1alpha1")),
    );
    if (text === undefined) {
      if (!isOnlyRemembered(named, registers)) {
        progress.warn(
          `machine ${node} doesn't answer, so its kubelet may stay newer than the API servers`,
        );
      }
      return [];
    }
    const documents = decodeDocuments(text);
    const image = textIn(joinDocuments(documents), KUBELET_IMAGE);
    return image !== undefined && isNewerMinor(image, apiServer)
      ? [{ machine: asked, documents, image, isControlPlane: named.isControlPlane }]
      : [];
  });
  return (await Promise.all(looks)).flat();
}

/** The machine's own image with the tag of the API server's. A digest would name the former one. */
function loweredImage(image: string, { apiServer }: KubeletsBefore): string {
  return image.replace(/:[^:/@]+(?:@.*)?$/, `:${tagOf(apiServer)}`);
}
