import { type ConfigDocument, isMapping, textAt } from "../config/machineConfig";

/** The components of Kubernetes' control plane, in the order of their upgrade. */
export const CONTROL_PLANE_PARTS = ["apiServer", "controllerManager", "scheduler"] as const;

/** A component of Kubernetes' control plane, as in Talos' configuration. */
export type ControlPlanePart = (typeof CONTROL_PLANE_PARTS)[number];

/** The image of each component. */
export type ControlPlaneImages = Readonly<Record<ControlPlanePart, string>>;

/** The images in a control plane machine's configuration or outline, if it names all of them. */
export function imagesOf(document: ConfigDocument): ControlPlaneImages | undefined {
  const [apiServer, controllerManager, scheduler] = CONTROL_PLANE_PARTS.map((part) =>
    imageIn([document], part),
  );
  return apiServer === undefined || controllerManager === undefined || scheduler === undefined
    ? undefined
    : { apiServer, controllerManager, scheduler };
}

/** The image of a component in a configuration; undefined if Talos chooses it. */
export function imageIn(
  documents: readonly ConfigDocument[],
  part: ControlPlanePart,
): string | undefined {
  const cluster = documents.map((document) => document.cluster).find(isMapping);
  return cluster && textAt(cluster[part], "image");
}

/** The names of the components' static pods. */
const PODS: Readonly<Record<ControlPlanePart, string>> = {
  apiServer: "kube-apiserver",
  controllerManager: "kube-controller-manager",
  scheduler: "kube-scheduler",
};

/** The images of components in a configuration, by the names of their pods. */
export function imagesByPod(documents: readonly ConfigDocument[]): ReadonlyMap<string, string> {
  return new Map(
    CONTROL_PLANE_PARTS.flatMap((part) => {
      const image = imageIn(documents, part);
      return image === undefined ? [] : [[PODS[part], image] as const];
    }),
  );
}

/** The tag of an image; empty where it has none. */
export function tagOf(image: string): string {
  return /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1] ?? "";
}
