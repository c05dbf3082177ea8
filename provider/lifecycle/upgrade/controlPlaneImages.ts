import type { ConfigDocument } from "../../config/machineConfig";
import { joinDocuments } from "../../config/settings/fieldsOf";
import { textIn } from "../../config/settings/settingIn";

/** The components of Kubernetes' control plane, in the order of their upgrade. */
export const CONTROL_PLANE_PARTS = ["apiServer", "controllerManager", "scheduler"] as const;

/** A component of Kubernetes' control plane, as in Talos' configuration. */
export type ControlPlanePart = (typeof CONTROL_PLANE_PARTS)[number];

/** The image of each component. */
export type ControlPlaneImages = Readonly<Record<ControlPlanePart, string>>;

/** The images in the outline of a control plane machine's configuration, if it names all of them. */
export function imagesOf(outline: ConfigDocument): ControlPlaneImages | undefined {
  const [apiServer, controllerManager, scheduler] = CONTROL_PLANE_PARTS.map((part) =>
    textIn(outline, imageOfPart(part)),
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
  return textIn(joinDocuments(documents), imageOfPart(part));
}

/** The setting with the image of a component. */
export function imageOfPart(part: ControlPlanePart): string {
  return `cluster.${part}.image`;
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
